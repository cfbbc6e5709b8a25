//! A dashboard that fails while it looks: it is not ready, says so, and looks again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use tenure::store::layer::faulty::{Faulty, Outage};
use tenure::store::{Entry, Hint, Read, Removed, SharedStore, Store, StoreError, Version, When, Written};
use tenure_dashboard::{Dashboard, serve};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::testbed::{Served, Testbed, held};

/// A store in whose hands a reader's thread panics, once that is asked for.
#[derive(Debug)]
struct Booby {
    inner: SharedStore,
    set: Arc<AtomicBool>,
}

#[async_trait]
impl Store for Booby {
    fn kind(&self) -> &'static str {
        "booby"
    }

    async fn get(&self, key: &str, unless: Option<&Version>) -> Result<Read, StoreError> {
        assert!(!self.set.load(Ordering::Relaxed), "a bug in what the observer calls");
        self.inner.get(key, unless).await
    }

    async fn put(&self, key: &str, value: bytes::Bytes, when: When) -> Result<Written, StoreError> {
        self.inner.put(key, value, when).await
    }

    async fn delete(&self, key: &str, version: &Version) -> Result<Removed, StoreError> {
        self.inner.delete(key, version).await
    }

    async fn list(&self, prefix: &str) -> Result<Vec<Entry>, StoreError> {
        self.inner.list(prefix).await
    }

    fn watch(&self, prefix: &str) -> futures_util::stream::BoxStream<'static, Hint> {
        self.inner.watch(prefix)
    }
}

async fn served(bed: &Testbed, set: Arc<AtomicBool>) -> Served {
    let outage = Outage::new();
    let inner: SharedStore = Arc::new(Faulty::new(bed.store().await, 0).judged_by(outage.clone()));
    let dashboard = Dashboard::builder(Booby { inner, set }, "orders".parse().unwrap()).start();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, over) = (listener.local_addr().unwrap(), CancellationToken::new());
    let task = tokio::spawn(serve::serve(listener, None, dashboard.router(), over.clone()));
    Served { dashboard, address, over, task, outage }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dashboard_that_fails_while_it_looks_says_so_and_looks_again() {
    let bed = Testbed::new();
    let _ada = bed.member("ada").await;
    let set = Arc::new(AtomicBool::new(false));
    let served = served(&bed, Arc::clone(&set)).await;
    served.settled(1).await;
    assert_eq!(served.get("/readyz").await.status, 200);
    set.store(true, Ordering::Relaxed);
    let broken = served.until(|picture| picture["sight"]["state"] == "broken").await;
    let reason = broken["sight"]["reason"].as_str().unwrap();
    assert!(reason.contains("a bug in what the observer calls"), "{reason}");
    assert_eq!((broken["problems"][0].as_str(), broken["shard_count"].as_u64()), (Some(reason), Some(0)));
    assert_eq!(served.get("/readyz").await.status, 503);
    let figures = served.get("/metrics").await.body;
    assert!(
        figures.contains("\ntenure_cluster_seen{cluster=\"orders\"} 0.0\n")
            && figures.contains("\ntenure_cluster_problems{cluster=\"orders\"} 1.0\n")
    );
    set.store(false, Ordering::Relaxed);
    let again = served.until(|picture| picture["sight"]["state"] == "seen").await;
    assert_eq!(held(&again, 0), crate::testbed::SHARDS);
    assert_eq!(served.get("/readyz").await.status, 200);
}
