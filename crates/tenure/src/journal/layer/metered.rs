//! Counts calls by operation and outcome, how long they took, and what was appended: plain atomics, for anybody to read.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde::Serialize;
use tenure_core::moment::Moment;

use super::{Around, Call, LayeredClaim, Operation};
use crate::clock::Clock;
use crate::journal::{Entry, Fault, JournalError, Opened, Place};
use crate::store::layer::metered::CallCounters;
pub use crate::store::layer::metered::{CallFigures, Latency, Outcome};

/// Counts what is asked of the journals that it is put around. Clones count together.
#[derive(Clone, Debug)]
pub struct Metered {
    counters: Arc<Counters>,
    clock: Clock,
}

#[derive(Debug, Default)]
struct Counters {
    open: AtomicUsize,
    calls: [CallCounters; Operation::ALL.len()],
    entries: AtomicU64,
    records: AtomicU64,
    bytes: AtomicU64,
    fenced: AtomicU64,
}

/// All figures at one time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Figures {
    /// Journals that are open.
    pub open: usize,
    /// Calls by operation: how they ended, and how long they took. [`Outcome::Conflict`] is that another owner has come.
    pub calls: Vec<(Operation, CallFigures)>,
    /// Entries that were stored.
    pub entries: u64,
    /// The records in them: divided by the entries, the size of a batch.
    pub records: u64,
    /// The bytes of these records' bodies.
    pub bytes: u64,
    /// Calls that were refused since another owner has come.
    pub fenced: u64,
}

impl Figures {
    /// The figures of one operation.
    pub fn of(&self, operation: Operation) -> &CallFigures {
        &self.calls[operation as usize].1
    }
}

impl Default for Metered {
    fn default() -> Self {
        Self::new()
    }
}

impl Metered {
    /// Nothing is counted yet.
    pub fn new() -> Self {
        Self { counters: Arc::default(), clock: Clock::boot() }
    }

    /// The same, by another clock.
    #[must_use]
    pub fn by(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// Opens a journal that somebody else holds, and counts what is asked of it from then on.
    pub(crate) async fn count_opened(
        &self,
        kind: &'static str,
        place: &Place,
        open: BoxFuture<'_, Result<Opened, JournalError>>,
    ) -> Result<Opened, JournalError> {
        let call = Call { operation: Operation::Open, kind, about: place, entry: None };
        let nothing = || std::future::ready(()).boxed();
        let opened = self.around(call, open, &nothing).await?;
        let claim = LayeredClaim::new(opened.claim, kind, place, self.clone());
        Ok(Opened { claim: Box::new(claim), ..opened })
    }

    /// The figures so far.
    pub fn figures(&self) -> Figures {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let calls = Operation::ALL.iter().zip(&self.counters.calls);
        Figures {
            open: self.counters.open.load(Ordering::Relaxed),
            calls: calls.map(|(operation, calls)| (*operation, calls.figures())).collect(),
            entries: read(&self.counters.entries),
            records: read(&self.counters.records),
            bytes: read(&self.counters.bytes),
            fenced: read(&self.counters.fenced),
        }
    }
}

impl Counters {
    fn stored(&self, entry: &Entry) {
        let bytes = entry.records.iter().map(|record| record.body.len()).sum::<usize>();
        self.entries.fetch_add(1, Ordering::Relaxed);
        self.records.fetch_add(entry.records.len() as u64, Ordering::Relaxed);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

fn outcome(error: &JournalError) -> Outcome {
    match error {
        JournalError::Ended(Fault::Fenced(_)) | JournalError::Lapsed => Outcome::Conflict,
        JournalError::Ended(Fault::Foreign(_) | Fault::Damaged(_) | Fault::WentBack { .. }) => {
            Outcome::Incompatible
        }
        JournalError::Store(error) => error.kind.into(),
        JournalError::Busy(_) | JournalError::Closed => Outcome::Unavailable,
        JournalError::Unfit(_)
        | JournalError::Shortened { .. }
        | JournalError::NotOpen(_)
        | JournalError::NoJournal(_)
        | JournalError::Misplaced { .. }
        | JournalError::Taken(_) => Outcome::Invalid,
    }
}

/// A call that is under way; counted when it ends, and also when it is dropped.
struct Running<'a> {
    metered: &'a Metered,
    operation: Operation,
    began: Moment,
    outcome: Outcome,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let took = self.metered.clock.now().since(self.began);
        self.metered.counters.calls[self.operation as usize].add(self.outcome, took);
    }
}

impl Around for Metered {
    fn around<'a, T: Send + 'a>(
        &'a self,
        call: Call<'a>,
        now: BoxFuture<'a, Result<T, JournalError>>,
        _again: &'a (dyn Fn() -> BoxFuture<'static, ()> + Sync),
    ) -> BoxFuture<'a, Result<T, JournalError>> {
        async move {
            let (operation, began) = (call.operation, self.clock.now());
            let mut running = Running { metered: self, operation, began, outcome: Outcome::Dropped };
            let answer = now.await;
            running.outcome = answer.as_ref().map_or_else(outcome, |_| Outcome::Answered);
            if running.outcome == Outcome::Conflict {
                self.counters.fenced.fetch_add(1, Ordering::Relaxed);
            }
            if let (Some(entry), Ok(_)) = (call.entry, &answer) {
                self.counters.stored(entry);
            }
            answer
        }
        .boxed()
    }

    fn while_open(&self) -> Option<Box<dyn Any + Send + Sync>> {
        self.counters.open.fetch_add(1, Ordering::Relaxed);
        Some(Box::new(Open(Arc::clone(&self.counters))))
    }
}

struct Open(Arc<Counters>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::journal::layer::Layered;
    use crate::journal::layer::faulty::{Faulty, Verdict};
    use crate::journal::testing::{author, place};
    use crate::journal::{Journal, Memory, Record, Seq};
    use crate::journal_suite;
    use crate::testing::journal::JournalSubject;

    async fn metered() -> JournalSubject {
        JournalSubject::new(Layered::new(Arc::new(Memory::new()), Metered::new()))
    }

    journal_suite!(metered);

    #[tokio::test]
    async fn entries_records_bytes_and_who_was_fenced_are_counted() {
        let figures = Metered::new();
        let journal = Layered::new(Arc::new(Memory::new()), figures.clone());
        let first = journal.open(&place(), author(1)).await.unwrap();
        let entry = Entry::batch(first.next, author(1), 0, vec![Record::json(&10), Record::json(&100)]);
        first.claim.append(&entry).await.unwrap();
        assert_eq!(figures.figures().open, 1);
        let second = journal.open(&place(), author(2)).await.unwrap();
        let late = Entry { seq: entry.seq.next(), ..entry };
        first.claim.append(&late).await.unwrap_err();
        journal.read(&place(), Seq(1), 1).await.unwrap();
        let told = figures.figures();
        assert_eq!((told.open, told.entries, told.records, told.bytes, told.fenced), (2, 1, 2, 5, 1));
        assert_eq!(told.of(Operation::Open).calls(), 2);
        assert_eq!(told.of(Operation::Append).ended(Outcome::Answered), 1);
        assert_eq!(told.of(Operation::Append).ended(Outcome::Conflict), 1);
        assert_eq!((told.of(Operation::Read).calls(), told.of(Operation::Keep).calls()), (1, 0));
        drop((first, second));
        assert_eq!(figures.figures().open, 0);
    }

    #[tokio::test]
    async fn a_call_that_was_given_up_is_counted_with_the_time_that_it_took() {
        let (clock, hand) = Clock::manual(Moment::ZERO);
        let figures = Metered::new().by(clock);
        let hangs = Faulty::judged_by(move |_| {
            hand.advance(Duration::from_millis(5));
            Verdict::Hang
        });
        let inner = Layered::new(Arc::new(Memory::new()), hangs);
        let journal = Layered::new(Arc::new(inner), figures.clone());
        let place = place();
        Clock::boot().timeout(Duration::from_millis(1), journal.look(&place)).await.unwrap_err();
        let told = figures.figures();
        assert_eq!(told.of(Operation::Look).ended(Outcome::Dropped), 1);
        assert_eq!(told.of(Operation::Look).latency.max, Duration::from_millis(5));
    }
}
