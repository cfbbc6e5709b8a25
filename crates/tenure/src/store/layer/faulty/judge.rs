//! Who decides what goes wrong.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tenure_core::entropy::Entropy;

use crate::store::Operation;

/// One call before its judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call<'a> {
    /// What is asked.
    pub operation: Operation,
    /// On what key or prefix.
    pub key: &'a str,
    /// How many calls of this store came before.
    pub number: u64,
}

/// What happens to a call. Where a verdict makes no sense for an operation, the call passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Nothing special.
    Pass,
    /// It is not carried out, and says so.
    Refuse,
    /// It is not carried out, and there is no answer.
    LoseRequest,
    /// It is carried out, and its answer is lost.
    LoseReply,
    /// It waits, then is carried out.
    Delay(Duration),
    /// There is no answer now; a write lands that much later, if its precondition holds then.
    Straggle(Duration),
    /// It is never answered: its caller must give up by itself. It is not carried out.
    Hang,
    /// A write that lands is reported as a conflict, as by a client that retried by itself.
    FalseConflict,
    /// A write is carried out, and once more that much later.
    Duplicate(Duration),
    /// A list is answered as it was the last time.
    Stale,
}

/// Chance, from a seed.
#[derive(Debug)]
pub struct Dice(Entropy);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(Entropy::new(seed.into()))
    }

    /// True for that share of all throws.
    pub fn throw(&mut self, share: f64) -> bool {
        self.0.share() < share
    }
}

/// A source of faults.
pub trait Judge: Send + Sync + 'static {
    /// What happens to the call.
    fn judge(&self, call: &Call<'_>, dice: &mut Dice) -> Verdict;

    /// Whether a hint is lost; usually not.
    fn loses_hint(&self, _dice: &mut Dice) -> bool {
        false
    }
}

impl<F> Judge for F
where
    F: Fn(&Call<'_>, &mut Dice) -> Verdict + Send + Sync + 'static,
{
    fn judge(&self, call: &Call<'_>, dice: &mut Dice) -> Verdict {
        self(call, dice)
    }
}

/// Gives a verdict to a share of the calls of some operations.
#[derive(Clone, Debug)]
pub struct Chance {
    verdict: Option<Verdict>,
    share: f64,
    operations: Vec<Operation>,
}

impl Chance {
    /// Gives `verdict` to that share of all calls.
    pub fn of(verdict: Verdict, share: f64) -> Self {
        Self { verdict: Some(verdict), share, operations: Operation::ALL.to_vec() }
    }

    /// Loses that share of all hints, and touches no call.
    pub fn of_losing_hints(share: f64) -> Self {
        Self { verdict: None, share, operations: Vec::new() }
    }

    /// The same, for these operations alone.
    #[must_use]
    pub fn on(mut self, operations: &[Operation]) -> Self {
        self.operations = operations.to_vec();
        self
    }
}

impl Judge for Chance {
    fn judge(&self, call: &Call<'_>, dice: &mut Dice) -> Verdict {
        match self.verdict {
            Some(verdict) if self.operations.contains(&call.operation) && dice.throw(self.share) => verdict,
            Some(_) | None => Verdict::Pass,
        }
    }

    fn loses_hint(&self, dice: &mut Dice) -> bool {
        self.verdict.is_none() && dice.throw(self.share)
    }
}

const UP: u8 = 0;
const READ_ONLY: u8 = 1;
const DOWN: u8 = 2;

/// A switch: clones of it make the store fail and heal while it runs.
#[derive(Clone, Debug, Default)]
pub struct Outage(Arc<AtomicU8>);

impl Outage {
    /// A switch that is off: the store works.
    pub fn new() -> Self {
        Self::default()
    }

    /// From now on nothing works, hints neither.
    pub fn begin(&self) {
        self.0.store(DOWN, Ordering::SeqCst);
    }

    /// From now on reads work and writes fail.
    pub fn begin_for_writes(&self) {
        self.0.store(READ_ONLY, Ordering::SeqCst);
    }

    /// From now on everything works.
    pub fn end(&self) {
        self.0.store(UP, Ordering::SeqCst);
    }
}

impl Judge for Outage {
    fn judge(&self, call: &Call<'_>, _dice: &mut Dice) -> Verdict {
        match self.0.load(Ordering::SeqCst) {
            DOWN => Verdict::Refuse,
            READ_ONLY if call.operation.writes() => Verdict::Refuse,
            _ => Verdict::Pass,
        }
    }

    fn loses_hint(&self, _dice: &mut Dice) -> bool {
        self.0.load(Ordering::SeqCst) == DOWN
    }
}

/// Verdicts for the next calls of one operation, in order; afterwards everything passes. Clones share the list.
#[derive(Clone, Debug)]
pub struct Script {
    operation: Operation,
    verdicts: Arc<Mutex<VecDeque<Verdict>>>,
}

impl Script {
    /// Gives these verdicts to the next calls of `operation`.
    pub fn of(operation: Operation, verdicts: impl IntoIterator<Item = Verdict>) -> Self {
        Self { operation, verdicts: Arc::new(Mutex::new(verdicts.into_iter().collect())) }
    }
}

impl Judge for Script {
    fn judge(&self, call: &Call<'_>, _dice: &mut Dice) -> Verdict {
        if call.operation != self.operation {
            return Verdict::Pass;
        }
        let mut verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        verdicts.pop_front().unwrap_or(Verdict::Pass)
    }
}

/// The judges of a store, in order.
#[derive(Default)]
pub(super) struct Judges(Vec<Box<dyn Judge>>);

impl Judges {
    pub(super) fn add(&mut self, judge: impl Judge) {
        self.0.push(Box::new(judge));
    }

    pub(super) fn judge(&self, call: &Call<'_>, dice: &mut Dice) -> Verdict {
        let verdicts = self.0.iter().map(|judge| judge.judge(call, dice));
        verdicts.into_iter().find(|verdict| *verdict != Verdict::Pass).unwrap_or(Verdict::Pass)
    }

    pub(super) fn loses_hint(&self, dice: &mut Dice) -> bool {
        self.0.iter().any(|judge| judge.loses_hint(dice))
    }
}

impl fmt::Debug for Judges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} judges", self.0.len())
    }
}
