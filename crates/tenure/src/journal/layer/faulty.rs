//! A journal that misbehaves as journals on a network do: for tests of what stands on one.
//!
//! Each call is brought before a judge, whose [`Verdict`] is carried out. Where a verdict makes no sense for an operation, the call
//! passes. What a mechanism must bear by itself is tested below it, in its store; this is what its user must bear.

use std::collections::VecDeque;
use std::fmt;
use std::future::pending;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::{Around, Call, Operation};
use crate::clock::Clock;
use crate::journal::JournalError;
pub use crate::store::layer::faulty::Verdict;
use crate::store::{StoreError, StoreErrorKind};

/// What goes wrong, as a judge says.
#[derive(Clone)]
pub struct Faulty {
    judge: Arc<dyn Fn(&Call<'_>) -> Verdict + Send + Sync>,
    clock: Clock,
}

impl fmt::Debug for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Faulty").finish_non_exhaustive()
    }
}

impl Faulty {
    /// Brings each call before `judge`.
    pub fn judged_by(judge: impl Fn(&Call<'_>) -> Verdict + Send + Sync + 'static) -> Self {
        Self { judge: Arc::new(judge), clock: Clock::boot() }
    }

    /// Gives these verdicts to the next calls of `operation`, in order; everything else passes.
    pub fn script(operation: Operation, verdicts: impl IntoIterator<Item = Verdict>) -> Self {
        let verdicts: Mutex<VecDeque<Verdict>> = Mutex::new(verdicts.into_iter().collect());
        Self::judged_by(move |call| {
            let mut verdicts = verdicts.lock().unwrap_or_else(PoisonError::into_inner);
            let next = (call.operation == operation).then(|| verdicts.pop_front()).flatten();
            next.unwrap_or(Verdict::Pass)
        })
    }

    /// Waits on another clock.
    #[must_use]
    pub fn by(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// Does a write again, or only then, after `span`, without a caller that waits for it.
    fn later(&self, span: Duration, call: &Call<'_>, again: &(dyn Fn() -> BoxFuture<'static, ()> + Sync)) {
        if !call.operation.writes() {
            return;
        }
        let (clock, write) = (self.clock.clone(), again());
        let then = clock.now() + span;
        tokio::spawn(async move {
            clock.sleep_until(then).await;
            write.await;
        });
    }
}

fn told(call: &Call<'_>, kind: StoreErrorKind, message: &str) -> JournalError {
    StoreError::new(kind, call.kind, call.operation.name(), call.about.to_string(), message).into()
}

fn refused(call: &Call<'_>) -> JournalError {
    told(call, StoreErrorKind::Unavailable, "refused by an injected fault")
}

fn lost(call: &Call<'_>) -> JournalError {
    let writes = call.operation.writes();
    let kind = if writes { StoreErrorKind::Indeterminate } else { StoreErrorKind::Unavailable };
    told(call, kind, "its answer was lost by an injected fault")
}

impl Around for Faulty {
    fn around<'a, T: Send + 'a>(
        &'a self,
        call: Call<'a>,
        now: BoxFuture<'a, Result<T, JournalError>>,
        again: &'a (dyn Fn() -> BoxFuture<'static, ()> + Sync),
    ) -> BoxFuture<'a, Result<T, JournalError>> {
        async move {
            match (self.judge)(&call) {
                Verdict::Pass | Verdict::FalseConflict | Verdict::Stale => now.await,
                Verdict::Refuse => Err(refused(&call)),
                Verdict::LoseRequest => Err(lost(&call)),
                Verdict::LoseReply => {
                    now.await?;
                    Err(lost(&call))
                }
                Verdict::Delay(span) => {
                    self.clock.sleep(span).await;
                    now.await
                }
                Verdict::Straggle(span) => {
                    self.later(span, &call, again);
                    Err(lost(&call))
                }
                Verdict::Duplicate(span) => {
                    let answer = now.await;
                    self.later(span, &call, again);
                    answer
                }
                Verdict::Hang => pending().await,
            }
        }
        .boxed()
    }
}

#[cfg(test)]
mod tests {
    use tenure_core::moment::Moment;

    use super::*;
    use crate::journal::layer::Layered;
    use crate::journal::testing::{author, place};
    use crate::journal::{Entry, Journal, Memory, Record, Seq, Writer, WriterLimits};
    use crate::journal_suite;
    use crate::testing::journal::JournalSubject;

    async fn faultless() -> JournalSubject {
        JournalSubject::new(Layered::new(Arc::new(Memory::new()), Faulty::judged_by(|_| Verdict::Pass)))
    }

    journal_suite!(faultless);

    const SOON: Duration = Duration::from_secs(5);

    /// Appends one entry under a verdict, and tells how that went, and what is there.
    async fn appended(verdict: Verdict, after: Duration) -> (Result<(), StoreErrorKind>, usize) {
        let (clock, hand) = Clock::manual(Moment::ZERO);
        let inner = Memory::new();
        let faulty = Faulty::script(Operation::Append, [verdict]).by(clock);
        let journal = Layered::new(Arc::new(inner.clone()), faulty);
        let opened = journal.open(&place(), author(1)).await.unwrap();
        let entry = Entry::batch(opened.next, author(1), 0, vec![Record::json(&1)]);
        let told = opened.claim.append(&entry).await.map_err(|error| match error {
            JournalError::Store(error) => error.kind,
            other => panic!("{other}"),
        });
        hand.advance(after);
        // What lands by itself does so in a task that is ready now.
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        (told, inner.read(&place(), Seq(2), 10).await.unwrap().len())
    }

    #[tokio::test]
    async fn each_verdict_does_what_it_says() {
        let unknown = Err(StoreErrorKind::Indeterminate);
        let none = Duration::ZERO;
        assert_eq!(appended(Verdict::Pass, none).await, (Ok(()), 1));
        assert_eq!(appended(Verdict::Refuse, none).await, (Err(StoreErrorKind::Unavailable), 0));
        assert_eq!(appended(Verdict::LoseRequest, SOON).await, (unknown, 0));
        assert_eq!(appended(Verdict::LoseReply, none).await, (unknown, 1));
        assert_eq!(appended(Verdict::Straggle(SOON), none).await, (unknown, 0));
        assert_eq!(appended(Verdict::Straggle(SOON), SOON * 2).await, (unknown, 1));
        assert_eq!(appended(Verdict::Duplicate(SOON), SOON * 2).await, (Ok(()), 1));
    }

    #[tokio::test]
    async fn an_append_that_lands_after_the_next_owner_has_opened_is_refused() {
        let (clock, hand) = Clock::manual(Moment::ZERO);
        let inner = Memory::new();
        let faulty = Faulty::script(Operation::Append, [Verdict::Straggle(SOON)]).by(clock);
        let journal = Layered::new(Arc::new(inner.clone()), faulty);
        let (writer, _) = Writer::open(&journal, &place(), author(1), WriterLimits::default()).await.unwrap();
        writer.commit(vec![Record::json(&1)]).await.unwrap_err();
        let opened = inner.open(&place(), author(2)).await.unwrap();
        assert_eq!(opened.kept.records().count(), 0);
        hand.advance(SOON * 2);
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        let entries = inner.read(&place(), Seq(1), 10).await.unwrap();
        assert!(entries.iter().all(|entry| entry.records.is_empty()), "{entries:?}");
    }
}
