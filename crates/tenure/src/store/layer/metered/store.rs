//! The layer that counts, and gives every call its span.

use std::future::Future;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream::BoxStream;
use tenure_core::ids::MemberId;
use tenure_core::message::When;
use tenure_core::moment::Moment;
use tenure_core::record::Version;
use tracing::Instrument;

use super::figures::{Counters, Figures, Outcome};
use super::span::CallSpan;
use crate::clock::Clock;
use crate::store::{Entry, Hint, Operation, Read, Removed, Store, StoreError, Witness, Written};

/// A store whose calls are counted.
#[derive(Debug)]
pub struct Metered<S> {
    inner: S,
    clock: Clock,
    counters: Counters,
    member: Option<MemberId>,
}

/// One call under way: counted as dropped unless it is told how it ended.
struct Running<'a> {
    counters: &'a Counters,
    clock: &'a Clock,
    operation: Operation,
    began: Moment,
    outcome: Outcome,
    span: CallSpan,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let took = self.clock.now().since(self.began);
        self.counters.add(self.operation, self.outcome, took);
        self.span.end(self.outcome);
    }
}

impl<S: Store> Metered<S> {
    /// Counts the calls of `inner`.
    pub fn new(inner: S, clock: Clock) -> Self {
        Self { inner, clock, counters: Counters::default(), member: None }
    }

    /// The same, with spans that name this member.
    #[must_use]
    pub fn of_member(mut self, member: MemberId) -> Self {
        self.member = Some(member);
        self
    }

    /// The figures so far.
    pub fn snapshot(&self) -> Figures {
        self.counters.snapshot()
    }

    async fn count<T>(
        &self,
        (operation, key): (Operation, &str),
        call: impl Future<Output = Result<T, StoreError>>,
        lost: impl FnOnce(&T) -> bool,
    ) -> Result<T, StoreError> {
        let span = CallSpan::new(self.member.as_ref(), operation, key);
        let call = call.instrument(span.inside());
        let mut running = self.start(operation, span);
        let answer = call.await;
        running.outcome = match &answer {
            Ok(answer) if lost(answer) => Outcome::Conflict,
            Ok(_) => Outcome::Answered,
            Err(error) => error.kind.into(),
        };
        answer
    }

    fn start(&self, operation: Operation, span: CallSpan) -> Running<'_> {
        Running {
            counters: &self.counters,
            clock: &self.clock,
            operation,
            began: self.clock.now(),
            outcome: Outcome::Dropped,
            span,
        }
    }
}

#[async_trait]
impl<S: Store> Store for Metered<S> {
    fn kind(&self) -> &'static str {
        self.inner.kind()
    }

    async fn get(&self, key: &str, unless: Option<&Version>) -> Result<Read, StoreError> {
        self.count((Operation::Get, key), self.inner.get(key, unless), |_| false).await
    }

    async fn put(&self, key: &str, value: Bytes, when: When) -> Result<Written, StoreError> {
        let call = self.inner.put(key, value, when);
        self.count((Operation::Put, key), call, |written| *written == Written::Conflict).await
    }

    async fn delete(&self, key: &str, version: &Version) -> Result<Removed, StoreError> {
        let call = self.inner.delete(key, version);
        self.count((Operation::Delete, key), call, |removed| *removed == Removed::Conflict).await
    }

    async fn list(&self, prefix: &str) -> Result<Vec<Entry>, StoreError> {
        self.count((Operation::List, prefix), self.inner.list(prefix), |_| false).await
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
    use std::time::Duration;

    use super::*;
    use crate::store::Memory;
    use crate::store::layer::Faulty;
    use crate::store::layer::faulty::{Call, Chance, Dice, Verdict};
    use crate::testing::{Subject, store_suite};

    async fn metered() -> Subject {
        let store = Memory::new();
        let over = |store| Metered::new(store, Clock::boot());
        Subject::new(over(store.clone())).with_second_handle(over(store))
    }

    store_suite!(metered);

    #[tokio::test]
    async fn calls_are_counted_by_operation_and_outcome() {
        let store = Metered::new(Memory::new(), Clock::boot());
        store.put("a", Bytes::new(), When::Absent).await.unwrap();
        store.put("a", Bytes::new(), When::Absent).await.unwrap();
        store.get("a", None).await.unwrap();
        let figures = store.snapshot();
        assert_eq!(figures.put.ended(Outcome::Answered), 1);
        assert_eq!(figures.put.ended(Outcome::Conflict), 1);
        assert_eq!(figures.of(Operation::Get).calls(), 1);
        assert_eq!(figures.list.calls() + figures.delete.calls(), 0);
    }

    #[tokio::test]
    async fn errors_are_counted_by_their_kind() {
        let refusing = Faulty::new(Memory::new(), 1).judged_by(Chance::of(Verdict::Refuse, 1.0));
        let store = Metered::new(refusing, Clock::boot());
        store.get("a", None).await.unwrap_err();
        assert_eq!(store.snapshot().get.ended(Outcome::Unavailable), 1);
    }

    #[tokio::test]
    async fn a_call_given_up_by_its_caller_is_counted_as_dropped() {
        let hanging = Faulty::new(Memory::new(), 1).judged_by(Chance::of(Verdict::Hang, 1.0));
        let store = Metered::new(hanging, Clock::boot());
        Clock::boot().timeout(Duration::from_millis(1), store.get("a", None)).await.unwrap_err();
        assert_eq!(store.snapshot().get.ended(Outcome::Dropped), 1);
    }

    #[tokio::test]
    async fn latency_is_measured_on_the_clock_it_was_given() {
        let (clock, hand) = Clock::manual(Moment::ZERO);
        let moving = Faulty::new(Memory::new(), 1).judged_by(move |_: &Call<'_>, _: &mut Dice| {
            hand.advance(Duration::from_millis(5));
            Verdict::Pass
        });
        let store = Metered::new(moving, clock);
        store.get("a", None).await.unwrap();
        assert_eq!(store.snapshot().get.latency.max, Duration::from_millis(5));
    }
}
