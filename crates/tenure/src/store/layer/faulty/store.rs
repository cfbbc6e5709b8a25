//! Carries out what the judges say.

use std::collections::BTreeMap;
use std::future::{Future, pending, ready};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use tenure_core::message::When;
use tenure_core::record::Version;

use super::judge::{Call, Dice, Judge, Judges, Verdict};
use crate::clock::Clock;
use crate::store::{
    Entry, Hint, Operation, Read, Removed, Store, StoreError, StoreErrorKind, Witness, Written,
};

/// A store that misbehaves as its judges say; without judges it does nothing of its own.
#[derive(Debug)]
pub struct Faulty<S> {
    inner: Arc<S>,
    clock: Clock,
    judging: Arc<Judging>,
    lists: Mutex<BTreeMap<String, Vec<Entry>>>,
}

#[derive(Debug)]
struct Judging {
    judges: Judges,
    progress: Mutex<Progress>,
}

#[derive(Debug)]
struct Progress {
    dice: Dice,
    calls: u64,
}

impl Judging {
    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn judge(&self, operation: Operation, key: &str) -> Verdict {
        let mut progress = self.progress();
        let call = Call { operation, key, number: progress.calls };
        progress.calls += 1;
        self.judges.judge(&call, &mut progress.dice)
    }

    fn loses_hint(&self) -> bool {
        self.judges.loses_hint(&mut self.progress().dice)
    }
}

impl<S: Store> Faulty<S> {
    /// A store like `inner`, whose judges throw dice by `seed`.
    pub fn new(inner: S, seed: u64) -> Self {
        let progress = Mutex::new(Progress { dice: Dice::new(seed), calls: 0 });
        let judging = Arc::new(Judging { judges: Judges::default(), progress });
        Self { inner: Arc::new(inner), clock: Clock::boot(), judging, lists: Mutex::default() }
    }

    /// One judge more, asked after those before it.
    ///
    /// # Panics
    /// If the store is watched already: its judges are chosen before it is used.
    #[must_use]
    pub fn judged_by(mut self, judge: impl Judge) -> Self {
        let judging = Arc::get_mut(&mut self.judging).expect("judges are chosen before the store is used");
        judging.judges.add(judge);
        self
    }

    /// Waits on another clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    fn refused(&self, operation: Operation, key: &str) -> StoreError {
        let kind = StoreErrorKind::Unavailable;
        StoreError::new(kind, self.inner.kind(), operation.name(), key, "refused by an injected fault")
    }

    fn lost(&self, operation: Operation, key: &str) -> StoreError {
        StoreError::unanswered(self.inner.kind(), operation, key, "its answer was lost by an injected fault")
    }

    /// Carries out a call that changes nothing, or whose verdict says nothing particular to its operation.
    async fn carry_out<T>(
        &self,
        (operation, key): (Operation, &str),
        verdict: Verdict,
        call: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        match verdict {
            Verdict::Refuse => Err(self.refused(operation, key)),
            Verdict::LoseRequest | Verdict::Straggle(_) => Err(self.lost(operation, key)),
            Verdict::LoseReply => {
                call.await?;
                Err(self.lost(operation, key))
            }
            Verdict::Delay(span) => {
                self.clock.sleep(span).await;
                call.await
            }
            Verdict::Hang => pending().await,
            Verdict::Pass | Verdict::FalseConflict | Verdict::Duplicate(_) | Verdict::Stale => call.await,
        }
    }

    /// Does a write again, or only then, after `span`, without a caller that waits for it.
    fn later(&self, span: Duration, write: impl FnOnce(Arc<S>) -> Later) {
        let (clock, write) = (self.clock.clone(), write(Arc::clone(&self.inner)));
        let then = clock.now() + span;
        tokio::spawn(async move {
            clock.sleep_until(then).await;
            write.land().await;
        });
    }

    fn put_later(&self, span: Duration, key: &str, value: &Bytes, when: &When) {
        let (key, value, when) = (key.to_owned(), value.clone(), when.clone());
        self.later(span, |store| Later::Put { store, key, value, when });
    }

    fn delete_later(&self, span: Duration, key: &str, version: &Version) {
        let (key, version) = (key.to_owned(), version.clone());
        self.later(span, |store| Later::Delete { store, key, version });
    }

    fn lists(&self) -> MutexGuard<'_, BTreeMap<String, Vec<Entry>>> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A write whose caller has gone.
enum Later {
    Put { store: Arc<dyn Store>, key: String, value: Bytes, when: When },
    Delete { store: Arc<dyn Store>, key: String, version: Version },
}

impl Later {
    async fn land(self) {
        // No caller waits for what comes of it.
        match self {
            Self::Put { store, key, value, when } => drop(store.put(&key, value, when).await),
            Self::Delete { store, key, version } => drop(store.delete(&key, &version).await),
        }
    }
}

#[async_trait]
impl<S: Store> Store for Faulty<S> {
    fn kind(&self) -> &'static str {
        self.inner.kind()
    }

    async fn get(&self, key: &str, unless: Option<&Version>) -> Result<Read, StoreError> {
        let verdict = self.judging.judge(Operation::Get, key);
        self.carry_out((Operation::Get, key), verdict, self.inner.get(key, unless)).await
    }

    async fn put(&self, key: &str, value: Bytes, when: When) -> Result<Written, StoreError> {
        let verdict = self.judging.judge(Operation::Put, key);
        if let Verdict::Straggle(span) | Verdict::Duplicate(span) = verdict {
            self.put_later(span, key, &value, &when);
        }
        let call = self.inner.put(key, value, when);
        let written = self.carry_out((Operation::Put, key), verdict, call).await?;
        Ok(if verdict == Verdict::FalseConflict { Written::Conflict } else { written })
    }

    async fn delete(&self, key: &str, version: &Version) -> Result<Removed, StoreError> {
        let verdict = self.judging.judge(Operation::Delete, key);
        if let Verdict::Straggle(span) | Verdict::Duplicate(span) = verdict {
            self.delete_later(span, key, version);
        }
        let call = self.inner.delete(key, version);
        let removed = self.carry_out((Operation::Delete, key), verdict, call).await?;
        let deceived = verdict == Verdict::FalseConflict && removed == Removed::Deleted;
        Ok(if deceived { Removed::Conflict } else { removed })
    }

    async fn list(&self, prefix: &str) -> Result<Vec<Entry>, StoreError> {
        let verdict = self.judging.judge(Operation::List, prefix);
        let former = self.lists().get(prefix).cloned();
        if let (Verdict::Stale, Some(former)) = (verdict, former) {
            return Ok(former);
        }
        let entries = self.carry_out((Operation::List, prefix), verdict, self.inner.list(prefix)).await?;
        self.lists().insert(prefix.to_owned(), entries.clone());
        Ok(entries)
    }

    fn watch(&self, prefix: &str) -> BoxStream<'static, Hint> {
        let judging = Arc::clone(&self.judging);
        let heard = move |hint| ready((!judging.loses_hint()).then_some(hint));
        self.inner.watch(prefix).filter_map(heard).boxed()
    }

    fn witness(&self) -> Option<Arc<dyn Witness>> {
        self.inner.witness()
    }
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
