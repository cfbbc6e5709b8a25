//! What changed is told, with the record where it is small; and whoever was deaf for a while looks at everything.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use tenure::clock::Clock;
use tenure::store::{Hint, Store, Versioned, When};
use tenure_testbed::postgres::Server;

use crate::address::{of_its_own, open, stored, until};

/// A test whose hint never comes ends, instead of hanging for ever.
const GIVE_UP: Duration = Duration::from_secs(60);

async fn next(hints: &mut BoxStream<'static, Hint>) -> Hint {
    Clock::boot().timeout(GIVE_UP, hints.next()).await.expect("a hint").expect("hints do not end")
}

#[tokio::test]
async fn a_small_record_comes_with_its_hint_as_a_rumour() {
    let address = of_its_own();
    let (store, other) = (open(&address).await, open(&address).await);
    let mut hints = store.watch("members/");
    assert_eq!(next(&mut hints).await, Hint::anything(), "it listens from now on");
    stored(&other, "ledger/1", "elsewhere", When::Absent).await;
    let version = stored(&other, "members/a", "one", When::Absent).await;
    let record = Versioned { version: version.clone(), value: "one".into() };
    assert_eq!(next(&mut hints).await, Hint::of("members/a").rumoured(record));
    other.delete("members/a", &version).await.unwrap();
    assert_eq!(next(&mut hints).await, Hint::of("members/a"));
}

#[tokio::test]
async fn a_large_record_is_told_by_its_key_alone() {
    let address = of_its_own();
    let (store, other) = (open(&address).await, open(&address).await);
    let mut hints = store.watch("");
    next(&mut hints).await;
    for length in [3_900, 4_000, 10_000] {
        let key = format!("ledger/{length}");
        other.put(&key, vec![7; length].into(), When::Absent).await.unwrap();
        let hint = next(&mut hints).await;
        assert_eq!(hint.key.as_deref(), Some(&key[..]));
        assert_eq!((hint.record, hint.rumour.is_some()), (None, length == 3_900), "{length}");
    }
}

#[tokio::test]
async fn a_write_that_lost_its_race_is_not_told() {
    let address = of_its_own();
    let (store, other) = (open(&address).await, open(&address).await);
    let mut hints = store.watch("");
    next(&mut hints).await;
    // A write is told of after it has landed, perhaps a little later: whoever listens only then hears of it, too.
    stored(&other, "a", "one", When::Absent).await;
    assert_eq!(next(&mut hints).await.key.as_deref(), Some("a"));
    other.put("a", "two".into(), When::Absent).await.unwrap();
    stored(&other, "b", "three", When::Absent).await;
    assert_eq!(next(&mut hints).await.key.as_deref(), Some("b"));
}

#[tokio::test]
async fn after_a_broken_connection_one_looks_at_everything_and_hears_again() {
    let server = Server::start().await;
    let (store, other) = (open(&server.url()).await, open(&server.url()).await);
    let mut hints = store.watch("");
    next(&mut hints).await;
    server
        .psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tenure'")
        .await;
    assert_eq!(next(&mut hints).await, Hint::anything());
    until("the writer is back", async || other.get("a", None).await.is_ok()).await;
    stored(&other, "a", "one", When::Absent).await;
    assert_eq!(next(&mut hints).await.key.as_deref(), Some("a"));
}

#[tokio::test]
async fn calls_and_hints_share_one_connection() {
    let server = Server::start().await;
    let store = open(&server.url()).await;
    let mut hints = store.watch("");
    next(&mut hints).await;
    stored(&store, "a", "one", When::Absent).await;
    assert_eq!(next(&mut hints).await.key.as_deref(), Some("a"));
    let sql = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'tenure'";
    until("the connection that laid the tables out is gone", async || server.psql(sql).await.trim() == "1")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_writes_and_ends_at_once_has_told_of_it() {
    let address = of_its_own();
    let store = open(&address).await;
    let mut hints = store.watch("");
    next(&mut hints).await;
    for number in 0..20 {
        let key = format!("members/{number}");
        let writer = open(&address).await;
        stored(&writer, &key, "gone", When::Absent).await;
        drop(writer);
        assert_eq!(next(&mut hints).await.key, Some(key));
    }
}
