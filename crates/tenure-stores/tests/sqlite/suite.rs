//! The store suite, on one file with two handles, and through one handle alone.

use std::time::Duration;

use tenure::clock::Clock;
use tenure::store::layer::{Metered, Timeout};
use tenure::testing::{Subject, store_suite};
use tenure_stores::sqlite::SqliteStore;

async fn two_handles() -> Subject {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("tenure.db");
    let store = SqliteStore::open(&path).await.unwrap();
    let other = SqliteStore::open(&path).await.unwrap();
    Subject::new(store).with_second_handle(other).keeping(directory)
}

store_suite!(two_handles);

mod layered {
    use super::*;

    fn layers(store: SqliteStore) -> Timeout<Metered<SqliteStore>> {
        Timeout::new(Metered::new(store, Clock::boot()), Clock::boot(), Duration::from_secs(60))
    }

    async fn as_members_use_it() -> Subject {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("tenure.db");
        let store = layers(SqliteStore::open(&path).await.unwrap());
        let other = layers(SqliteStore::open(&path).await.unwrap());
        Subject::new(store).with_second_handle(other).keeping(directory)
    }

    store_suite!(as_members_use_it);
}
