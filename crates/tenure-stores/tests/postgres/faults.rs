//! A server that is killed, frozen or restarted, and connections that are ended: every write is answered truly.

use tenure::store::{Store, StoreErrorKind, When};
use tenure_stores::postgres::PostgresStore;
use tenure_testbed::postgres::{Options, Server};

use crate::address::{held, open, stored, until};

async fn durable() -> Server {
    Server::start_with(Options { fsync: true, ..Options::default() }).await
}

/// Waits until the store answers again.
async fn answers(store: &PostgresStore) {
    until("the store answers", async || store.get("a", None).await.is_ok()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_survives_a_kill_of_the_server() {
    let mut server = durable().await;
    let store = open(&server.url()).await;
    let version = stored(&store, "a", "one", When::Absent).await;
    server.kill();
    until("the loss is noticed", async || store.get("a", None).await.is_err()).await;
    let error = store.put("a", "lost".into(), When::Is(version.clone())).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Unavailable, "nothing was sent: {error}");
    server.restart().await;
    answers(&store).await;
    assert_eq!(held(&store, "a").await.as_deref(), Some("one"));
    stored(&store, "a", "two", When::Is(version)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_the_server_ends_is_made_anew() {
    let server = Server::start().await;
    let store = open(&server.url()).await;
    let mut version = stored(&store, "a", "one", When::Absent).await;
    for _ in 0..5 {
        server
            .psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tenure'")
            .await;
        answers(&store).await;
        version = stored(&store, "a", "again", When::Is(version)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_a_frozen_server_swallowed_is_unknown_and_the_next_calls_go_on_after_it() {
    let server = Server::start().await;
    let store = open(&server.url()).await;
    let version = stored(&store, "a", "one", When::Absent).await;
    server.stop();
    let error = store.put("a", "two".into(), When::Is(version)).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Indeterminate, "{error}");
    assert!(error.to_string().contains("may have landed"), "{error}");
    server.thaw();
    answers(&store).await;
    let now = held(&store, "a").await;
    assert!(matches!(now.as_deref(), Some("one" | "two")), "{now:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_that_somebody_locks_for_long_is_busy_and_unchanged() {
    let server = Server::start().await;
    let store = open(&server.url()).await;
    let version = stored(&store, "a", "one", When::Absent).await;
    let lock = "BEGIN; SELECT 1 FROM tenure.records FOR UPDATE; SELECT pg_sleep(3); COMMIT";
    let (locked, refused) = futures_util::join!(server.psql(lock), async {
        until("it is locked", async || {
                server.psql("SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(3)%' AND wait_event = 'PgSleep'").await.trim() == "1"
            })
            .await;
        store.put("a", "two".into(), When::Is(version.clone())).await.unwrap_err()
    });
    drop(locked);
    assert_eq!(refused.kind, StoreErrorKind::Unavailable, "{refused}");
    assert!(refused.to_string().contains("pg_stat_activity"), "{refused}");
    assert_eq!(held(&store, "a").await.as_deref(), Some("one"));
    stored(&store, "a", "two", When::Is(version)).await;
}

/// Has every update of a record fail with `code`.
async fn strike(server: &Server, code: &str) {
    let strike = format!("BEGIN RAISE EXCEPTION 'strike' USING ERRCODE = '{code}'; END");
    server
        .psql(&format!(
            "CREATE OR REPLACE FUNCTION strike() RETURNS trigger LANGUAGE plpgsql AS $$ {strike} $$; \
             CREATE OR REPLACE TRIGGER strike AFTER UPDATE ON tenure.records FOR EACH ROW EXECUTE FUNCTION strike()"
        ))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_that_takes_the_transaction_back_says_that_the_write_did_not_happen() {
    let server = Server::start().await;
    let store = open(&server.url()).await;
    let version = stored(&store, "a", "one", When::Absent).await;
    for (code, words) in [
        ("53100", "the server's disk is full; free some space"),
        ("55P03", "pg_stat_activity"),
        ("40P01", "pg_stat_activity"),
        ("53200", "the server refused: strike"),
        ("23514", "the server refused: strike"),
    ] {
        strike(&server, code).await;
        let error = store.put("a", "two".into(), When::Is(version.clone())).await.unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Unavailable, "{code}: {error}");
        assert!(error.to_string().contains(words), "{code}: {error}");
        assert_eq!(held(&store, "a").await.as_deref(), Some("one"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_that_is_not_known_to_take_the_transaction_back_leaves_doubt() {
    let server = Server::start().await;
    let store = open(&server.url()).await;
    let version = stored(&store, "a", "one", When::Absent).await;
    for code in ["XX000", "08006", "40003", "57P01", "58030"] {
        strike(&server, code).await;
        let error = store.put("a", "two".into(), When::Is(version.clone())).await.unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Indeterminate, "{code}: {error}");
        answers(&store).await;
        assert_eq!(held(&store, "a").await.as_deref(), Some("one"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schema_that_is_dropped_while_open_is_missed() {
    let server = Server::start().await;
    let store = open(&server.url()).await;
    server.psql("DROP SCHEMA tenure CASCADE").await;
    let error = store.get("a", None).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Incompatible, "{error}");
    assert!(error.to_string().contains("there is no schema \"tenure\""), "{error}");
}
