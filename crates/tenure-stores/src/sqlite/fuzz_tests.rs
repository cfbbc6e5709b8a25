//! I7 for the files beside a database: whatever is in the bell or in a lock file, nobody is proven dead by it whose lock is held.

use std::os::unix::fs::FileExt;

use tenure_fuzz::Target;

use super::*;
use crate::sqlite::custody::Custodian;
use crate::sqlite::drawn::Drawn;

const LIVING: Process = Process(0xa11ce);

/// The lock file of a process that lives, with other words in it.
fn proves_nothing(directory: &Path, held: &Held, bytes: &[u8]) -> bool {
    held.file.set_len(0).unwrap();
    held.file.write_all_at(bytes, 0).unwrap();
    let suspect = Suspect::find(directory, LIVING);
    if let Some(suspect) = &suspect {
        let _ = (suspect.pid(), suspect.is_alone());
        assert!(!suspect.is_dead(), "it lives");
    }
    bury(&path_of(directory, LIVING)).unwrap_or_default();
    assert!(path_of(directory, LIVING).exists(), "nobody buries the living");
    suspect.is_some()
}

#[test]
fn fuzz_sqlite_lock_file() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("locks");
    let held = Held::take(&directory, LIVING).unwrap();
    let mark = Mark { pid: 1, inode: held.file.metadata().unwrap().ino() }.to_string();
    let others = format!("{mark}{}", str::from_utf8(OTHERS).unwrap());
    let word = [others.as_bytes(), LAST_WORD].concat();
    let whole = [mark.into_bytes(), others.into_bytes(), word];
    Target::new("sqlite-lock-file", whole).run(|bytes| proves_nothing(&directory, &held, bytes));
}

#[test]
fn fuzz_sqlite_bell() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tenure.db-drawn");
    let drawn = Drawn::open(&path, Custodian::us()).unwrap();
    let rung = |number: u64| [number.to_le_bytes(), (!number).to_le_bytes()].concat();
    let whole = [1, 300, i64::MAX.cast_unsigned(), u64::MAX].map(rung);
    Target::new("sqlite-bell", whole).run(|bytes| {
        fs::write(&path, bytes).unwrap();
        let told = drawn.greatest();
        let after = told.saturating_add(1);
        drawn.raise(after);
        assert_eq!(drawn.greatest(), after, "what was drawn last is told");
        told != 0
    });
}
