//! Every call has a deadline.
//!
//! A mechanism settles by itself what is uncertain, as long as that takes. Who can't wait so long gives up, and then it is uncertain:
//! an append that was given up can land a minute later. So a call that can change something is `Indeterminate` when its time is over,
//! never a failure; open the journal again, which ends what is under way, and read. One that only reads brought nothing, and that is all.

use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::{Around, Call};
use crate::clock::Clock;
use crate::journal::JournalError;
use crate::store::{StoreError, StoreErrorKind};

/// Answers every call within a limit, if only by "unknown".
#[derive(Clone, Debug)]
pub struct Deadline {
    limit: Duration,
    clock: Clock,
}

impl Deadline {
    /// Within `limit`.
    pub fn of(limit: Duration) -> Self {
        Self { limit, clock: Clock::boot() }
    }

    /// The same, by another clock.
    #[must_use]
    pub fn by(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    fn unanswered(&self, call: &Call<'_>) -> StoreError {
        let limit = self.limit;
        let (kind, message) = match call.operation.writes() {
            true => (
                StoreErrorKind::Indeterminate,
                format!("no answer within {limit:?}; it may have landed or may yet: open the journal again"),
            ),
            false => {
                (StoreErrorKind::Unavailable, format!("no answer within {limit:?}; try again, or allow more"))
            }
        };
        StoreError::new(kind, call.kind, call.operation.name(), call.about.to_string(), message)
    }
}

impl Around for Deadline {
    fn around<'a, T: Send + 'a>(
        &'a self,
        call: Call<'a>,
        now: BoxFuture<'a, Result<T, JournalError>>,
        _again: &'a (dyn Fn() -> BoxFuture<'static, ()> + Sync),
    ) -> BoxFuture<'a, Result<T, JournalError>> {
        async move {
            match self.clock.timeout(self.limit, now).await {
                Ok(answer) => answer,
                Err(elapsed) => Err(self.unanswered(&call).caused_by(elapsed).into()),
            }
        }
        .boxed()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::journal::layer::faulty::{Faulty, Verdict};
    use crate::journal::layer::{Layered, Operation};
    use crate::journal::testing::{author, place};
    use crate::journal::{Depot, Entry, Journal, Memory, Record, Seq, Writer, WriterLimits};
    use crate::journal_suite;
    use crate::testing::journal::JournalSubject;

    async fn timed() -> JournalSubject {
        let generous = Deadline::of(Duration::from_secs(600));
        JournalSubject::new(Layered::new(Arc::new(Memory::new()), generous))
    }

    journal_suite!(timed);

    fn impatient(operation: Operation, verdict: Verdict) -> (Memory, Layered<Deadline>) {
        let inner = Memory::new();
        let faulty = Layered::new(Arc::new(inner.clone()), Faulty::script(operation, [verdict]));
        (inner, Layered::new(Arc::new(faulty), Deadline::of(Duration::from_millis(5))))
    }

    fn kind(error: JournalError) -> StoreErrorKind {
        let JournalError::Store(error) = error else { panic!("{error}") };
        error.kind
    }

    #[tokio::test]
    async fn an_unanswered_append_is_indeterminate_and_may_be_there() {
        let (inner, journal) = impatient(Operation::Append, Verdict::Delay(Duration::from_millis(50)));
        let (writer, _) = Writer::open(&journal, &place(), author(1), WriterLimits::default()).await.unwrap();
        let error = writer.commit(vec![Record::json(&1)]).await.unwrap_err();
        assert_eq!(kind(error), StoreErrorKind::Indeterminate);
        // Whoever opens the journal again knows.
        let opened = inner.open(&place(), author(2)).await.unwrap();
        assert_eq!(opened.kept.records().count(), 0);
    }

    #[tokio::test]
    async fn what_only_reads_brought_nothing_and_what_writes_is_unknown() {
        let hangs = |operation| impatient(operation, Verdict::Hang).1;
        let read = hangs(Operation::Read).read(&place(), Seq(1), 1).await.unwrap_err();
        assert_eq!(kind(read), StoreErrorKind::Unavailable);
        let open = hangs(Operation::Open).open(&place(), author(1)).await.unwrap_err();
        assert_eq!(kind(open), StoreErrorKind::Indeterminate);
        let keep = hangs(Operation::Keep).keep("a", "a".into()).await.unwrap_err();
        assert_eq!(kind(keep), StoreErrorKind::Indeterminate);
    }

    #[tokio::test]
    async fn the_error_says_which_call_on_what_and_how_long() {
        let (_, journal) = impatient(Operation::Append, Verdict::Hang);
        let opened = journal.open(&place(), author(1)).await.unwrap();
        let entry = Entry::batch(opened.next, author(1), 0, vec![Record::json(&1)]);
        let error = opened.claim.append(&entry).await.unwrap_err();
        let told = crate::error::chain(&error);
        assert!(
            told.contains("can't append entry 2 of counter of shard 3") && told.contains("5ms"),
            "{told}"
        );
    }
}
