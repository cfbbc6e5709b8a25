//! Every call has a deadline.
//!
//! A store that hangs must not hang its caller: a lease is to be renewed elsewhere, or given up. When the time is over the
//! inner call is dropped; what that means is the backend's affair, for it may have been sent already: the write can still
//! land, now or a minute later. So an unanswered write is `Indeterminate`, never a failure. An unanswered read brought
//! nothing, and that is all.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream::BoxStream;
use tenure_core::message::When;
use tenure_core::record::Version;

use crate::clock::Clock;
use crate::store::{Entry, Hint, Operation, Read, Removed, Store, StoreError, Witness, Written};

/// A store whose calls are all answered within a limit, if only by "unknown".
#[derive(Debug)]
pub struct Timeout<S> {
    inner: S,
    clock: Clock,
    limit: Duration,
}

impl<S: Store> Timeout<S> {
    /// Answers every call of `inner` within `limit`.
    pub fn new(inner: S, clock: Clock, limit: Duration) -> Self {
        Self { inner, clock, limit }
    }

    async fn within<T>(
        &self,
        operation: Operation,
        key: &str,
        call: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        match self.clock.timeout(self.limit, call).await {
            Ok(answer) => answer,
            Err(elapsed) => Err(self.unanswered(operation, key).caused_by(elapsed)),
        }
    }

    fn unanswered(&self, operation: Operation, key: &str) -> StoreError {
        let limit = self.limit;
        let message = if operation.writes() {
            format!("no answer within {limit:?}; it may have landed or may yet: read before writing again")
        } else {
            format!("no answer within {limit:?}; try again, or raise store_timeout")
        };
        StoreError::unanswered(self.inner.kind(), operation, key, message)
    }
}

#[async_trait]
impl<S: Store> Store for Timeout<S> {
    fn kind(&self) -> &'static str {
        self.inner.kind()
    }

    async fn get(&self, key: &str, unless: Option<&Version>) -> Result<Read, StoreError> {
        self.within(Operation::Get, key, self.inner.get(key, unless)).await
    }

    async fn put(&self, key: &str, value: Bytes, when: When) -> Result<Written, StoreError> {
        self.within(Operation::Put, key, self.inner.put(key, value, when)).await
    }

    async fn delete(&self, key: &str, version: &Version) -> Result<Removed, StoreError> {
        self.within(Operation::Delete, key, self.inner.delete(key, version)).await
    }

    async fn list(&self, prefix: &str) -> Result<Vec<Entry>, StoreError> {
        self.within(Operation::List, prefix, self.inner.list(prefix)).await
    }

    fn watch(&self, prefix: &str) -> BoxStream<'static, Hint> {
        self.inner.watch(prefix)
    }

    fn witness(&self) -> Option<Arc<dyn Witness>> {
        self.inner.witness()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::layer::faulty::{Chance, Faulty, Verdict};
    use crate::store::{Memory, StoreErrorKind};
    use crate::testing::{Subject, store_suite};

    fn generous(store: Memory) -> Timeout<Memory> {
        Timeout::new(store, Clock::boot(), Duration::from_secs(60))
    }

    async fn timed() -> Subject {
        let store = Memory::new();
        Subject::new(generous(store.clone())).with_second_handle(generous(store))
    }

    store_suite!(timed);

    fn hanging() -> Timeout<Faulty<Memory>> {
        let slow = Faulty::new(Memory::new(), 1).judged_by(Chance::of(Verdict::Hang, 1.0));
        Timeout::new(slow, Clock::boot(), Duration::from_millis(1))
    }

    #[tokio::test]
    async fn an_unanswered_read_is_unavailable() {
        let store = hanging();
        assert_eq!(store.get("a", None).await.unwrap_err().kind, StoreErrorKind::Unavailable);
        assert_eq!(store.list("a").await.unwrap_err().kind, StoreErrorKind::Unavailable);
    }

    #[tokio::test]
    async fn an_unanswered_write_is_indeterminate() {
        let store = hanging();
        let put = store.put("a", Bytes::new(), When::Absent).await.unwrap_err();
        assert_eq!(put.kind, StoreErrorKind::Indeterminate);
        let delete = store.delete("a", &Version::new("1")).await.unwrap_err();
        assert_eq!(delete.kind, StoreErrorKind::Indeterminate);
    }

    #[tokio::test]
    async fn the_error_says_which_call_and_how_long() {
        let error = hanging().put("members/a", Bytes::new(), When::Absent).await.unwrap_err();
        let text = error.to_string();
        assert!(text.contains("can't put members/a") && text.contains("1ms"), "{text}");
    }
}
