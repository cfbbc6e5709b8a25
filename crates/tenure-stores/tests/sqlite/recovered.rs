//! A copy of the file, put back while nobody runs.

use std::path::PathBuf;
use std::time::Duration;

use rusqlite::Connection;
use tenure::store::StoreErrorKind;
use tenure_stores::sqlite::SqliteStore;

use crate::restored::{Restorable, recovers};

struct File {
    folder: tempfile::TempDir,
}

impl File {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

impl Restorable for File {
    type Store = SqliteStore;

    async fn open(&self) -> SqliteStore {
        SqliteStore::open(self.path("tenure.db")).await.unwrap()
    }

    async fn back_up(&mut self) {
        let program = Connection::open(self.path("tenure.db")).unwrap();
        program.execute("VACUUM INTO ?1", [self.path("backup.db").to_str().unwrap()]).unwrap();
    }

    async fn restore(&mut self) {
        for name in ["tenure.db", "tenure.db-wal", "tenure.db-shm"] {
            let _ = std::fs::remove_file(self.path(name));
        }
        std::fs::copy(self.path("backup.db"), self.path("tenure.db")).unwrap();
        let refused = SqliteStore::open(self.path("tenure.db")).await.unwrap_err();
        assert_eq!(refused.kind, StoreErrorKind::Incompatible, "an older copy is noticed");
        std::fs::remove_file(self.path("tenure.db-drawn")).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_put_back_is_recovered() {
    recovers(File { folder: tempfile::tempdir().unwrap() }, Duration::from_secs(2)).await;
}
