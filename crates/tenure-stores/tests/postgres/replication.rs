//! Writes that wait for a synchronous standby: one that stops waiting is in the log of the primary and perhaps nowhere else.

use futures_util::join;
use tenure::store::{Store, StoreErrorKind, When};
use tenure_testbed::postgres::Server;

use crate::address::{held, open, stored, until};

/// From now on every commit waits for a standby that is not there.
pub(crate) async fn nobody_follows(server: &Server) {
    server.psql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'").await;
    server.psql("SELECT pg_reload_conf()").await;
    let names = "SELECT current_setting('synchronous_standby_names')";
    until("the setting is read", async || server.psql(names).await.trim() == "nobody").await;
}

/// Does that to the session which waits for a standby, once there is one.
pub(crate) async fn once_it_waits(server: &Server, blow: &str) {
    let sql = format!("SELECT {blow}(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
    until("a commit waits", async || server.psql(&sql).await.trim() == "t").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_stopped_waiting_for_its_standby_is_not_called_stored() {
    let server = Server::start().await;
    let store = open(&server.url()).await;
    let version = stored(&store, "a", "one", When::Absent).await;
    nobody_follows(&server).await;
    let cancelled = once_it_waits(&server, "pg_cancel_backend");
    let (answer, ()) = join!(store.put("a", "two".into(), When::Is(version)), cancelled);
    let error = answer.expect_err("a standby that fails over now lacks it");
    assert_eq!(error.kind, StoreErrorKind::Indeterminate, "{error}");
    assert!(error.to_string().contains("not known to be replicated"), "{error}");
    assert_eq!(held(&store, "a").await.as_deref(), Some("two"));
}
