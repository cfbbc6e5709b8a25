//! Behind pgbouncer, whose own errors are not the server's: they say nothing about the write.

use futures_util::join;
use tenure::store::{Store, StoreErrorKind, When};
use tenure_testbed::postgres::{Pool, Server};

use crate::address::{held, open, stored};
use crate::replication::{nobody_follows, once_it_waits};

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_landed_before_the_pool_lost_its_server_is_unknown() {
    let server = Server::start().await;
    let Some(pool) = Pool::start(&server).await else {
        return println!("skipped: pgbouncer is not installed; run `cargo xtask servers up`");
    };
    let store = open(&pool.url()).await;
    let version = stored(&store, "a", "one", When::Absent).await;
    nobody_follows(&server).await;
    // Its commit is in the log when its process ends, and is answered by the pool alone.
    let ended = once_it_waits(&server, "pg_terminate_backend");
    let (answer, ()) = join!(store.put("a", "two".into(), When::Is(version)), ended);
    let error = answer.expect_err("no answer of the server came");
    assert_eq!(error.kind, StoreErrorKind::Indeterminate, "{error}");
    assert!(error.to_string().contains("the connection broke"), "{error}");
    assert_eq!(held(&open(&server.url()).await, "a").await.as_deref(), Some("two"));
}
