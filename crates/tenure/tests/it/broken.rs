//! A driver that can't go on is never silent: guards close, whoever waits is told why, and the figures say that nothing is owned.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use tenure::ErrorKind;
use tenure::store::{Entry, Hint, Memory, Read, Removed, Store, StoreError, Version, When, Written};
use tokio::sync::{Notify, mpsc};

use crate::fleet::{settings, start};

/// A store whose hints panic in the hands of whoever listens, once that is asked for.
#[derive(Debug)]
struct Booby {
    inner: Memory,
    sprung: Arc<Notify>,
}

#[async_trait]
impl Store for Booby {
    fn kind(&self) -> &'static str {
        "booby"
    }

    async fn get(&self, key: &str, unless: Option<&Version>) -> Result<Read, StoreError> {
        self.inner.get(key, unless).await
    }

    async fn put(&self, key: &str, value: Bytes, when: When) -> Result<Written, StoreError> {
        self.inner.put(key, value, when).await
    }

    async fn delete(&self, key: &str, version: &Version) -> Result<Removed, StoreError> {
        self.inner.delete(key, version).await
    }

    async fn list(&self, prefix: &str) -> Result<Vec<Entry>, StoreError> {
        self.inner.list(prefix).await
    }

    fn watch(&self, _: &str) -> BoxStream<'static, Hint> {
        let sprung = Arc::clone(&self.sprung);
        let boom = async move {
            sprung.notified().await;
            panic!("a bug in what the driver calls")
        };
        futures_util::stream::once(boom).boxed()
    }
}

fn booby() -> (Booby, Arc<Notify>) {
    let sprung = Arc::new(Notify::new());
    (Booby { inner: Memory::new(), sprung: Arc::clone(&sprung) }, sprung)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_driver_that_panics_closes_every_guard_and_says_so() {
    let (store, sprung) = booby();
    let member = start(store, "a").await;
    let (gained, mut gains) = mpsc::unbounded_channel();
    let runner = Arc::clone(&member);
    let running = tokio::spawn(async move {
        let handler = move |shard: tenure::Shard| {
            let gained = gained.clone();
            async move {
                let shard = Arc::new(shard);
                gained.send(Arc::clone(&shard)).unwrap();
                shard.drained().await;
                Ok(())
            }
        };
        runner.run(handler).await
    });
    let shard = gains.recv().await.unwrap();
    assert!(shard.check().is_ok() && !member.metrics().detached);
    let mut lease = member.lease();
    lease.now();
    sprung.notify_one();
    let error = running.await.unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Internal);
    let told = error.to_string();
    assert!(told.contains("members/a panicked: a bug in what the driver calls"), "{told}");
    assert!(shard.check().is_err(), "its guard is closed");
    shard.cancellation().cancelled().await;
    let figures = member.metrics();
    assert_eq!((figures.detached, figures.tenures, figures.lapses), (true, 0, 1));
    assert_eq!(lease.now(), tenure::member::LeaseView::default());
    assert_eq!(member.leave().await.unwrap_err().kind(), ErrorKind::Internal);
    assert_eq!(member.snapshot().await.unwrap_err().kind(), ErrorKind::Closed);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_driver_that_panics_while_it_starts_is_an_error_of_the_start() {
    let (store, sprung) = booby();
    sprung.notify_one();
    let error = tenure::Member::builder(store).settings(settings("a")).start().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Internal);
    assert!(error.to_string().contains("a bug in what the driver calls"), "{error}");
}
