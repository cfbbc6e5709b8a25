//! A dump that was restored into another server: what it holds was written after positions of a log that is not this server's.

use tenure::store::{Store, When};
use tenure_testbed::postgres::Server;

use crate::address::{held, open, stored, until};

#[tokio::test(flavor = "multi_thread")]
async fn positions_of_another_servers_log_are_no_loss() {
    let (before, server) = (Server::start().await, Server::start().await);
    // Its log is longer than the other's will be for long.
    before.psql("CREATE TABLE ballast AS SELECT md5(n::text) FROM generate_series(1, 200000) n").await;
    let version = stored(&open(&before.url()).await, "a", "one", When::Absent).await;
    open(&server.url()).await;
    let restored = format!("INSERT INTO tenure.records VALUES ('a', '{}', 'one')", version.as_str());
    server.psql(&restored).await;
    let store = open(&server.url()).await;
    assert_eq!(held(&store, "a").await.as_deref(), Some("one"));
    server
        .psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tenure'")
        .await;
    until("the store answers", async || store.get("a", None).await.is_ok()).await;
    stored(&store, "a", "two", When::Is(version)).await;
}
