//! Addresses of stores, and the steps that many tests are made of.

use std::time::Duration;

use tenure::clock::Clock;
use tenure::store::{Read, Store, StoreError, Version, When, Written};
use tenure_stores::postgres::PostgresStore;
use tenure_testbed::Kind;

/// The name of a schema that nobody else uses.
pub(crate) fn schema() -> String {
    format!("test_{:x}", fastrand::u64(..))
}

/// The address of an empty store on the shared server.
pub(crate) fn of_its_own() -> String {
    format!("{}?schema={}", tenure_testbed::url(Kind::Postgres), schema())
}

/// The same address for another user.
pub(crate) fn as_user(address: &str, user: &str) -> String {
    address.replacen("postgres://postgres@", &format!("postgres://{user}@"), 1)
}

/// Opens a store that must open.
pub(crate) async fn open(address: &str) -> PostgresStore {
    PostgresStore::open_url(address).await.unwrap_or_else(|error| panic!("{error} {:?}", error.source))
}

/// Why a store does not open.
pub(crate) async fn refusal(address: &str) -> StoreError {
    PostgresStore::open_url(address).await.expect_err("it opened")
}

/// Writes what must be stored.
pub(crate) async fn stored(store: &PostgresStore, key: &str, value: &'static str, when: When) -> Version {
    match store.put(key, value.into(), when).await {
        Ok(Written::Stored(version)) => version,
        other => panic!("{key} was not stored: {other:?}"),
    }
}

/// What is there, in text.
pub(crate) async fn held(store: &PostgresStore, key: &str) -> Option<String> {
    match store.get(key, None).await {
        Ok(Read::Found(record)) => Some(String::from_utf8(record.value.to_vec()).expect("text")),
        Ok(Read::Absent) => None,
        other => panic!("{key} was not read: {other:?}"),
    }
}

/// Asks until it is true; a test whose condition never comes ends, instead of hanging for ever.
pub(crate) async fn until(what: &str, mut condition: impl AsyncFnMut() -> bool) {
    for _ in 0..1200 {
        if condition().await {
            return;
        }
        Clock::boot().sleep(Duration::from_millis(50)).await;
    }
    panic!("a minute went by, and still not: {what}");
}
