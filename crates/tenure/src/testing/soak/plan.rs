//! How much is asked of the store, and what came of it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use tokio::task::JoinSet;

use super::caller::{Board, Caller};
use super::history::{Effect, History};
use super::{naming, order};
use crate::store::SharedStore;

/// How many keys the calls are about: few, so that callers meet.
const KEYS: usize = 16;

/// How many callers call at once, every second of them through the other handle.
const CALLERS: usize = 8;

/// A soak of a certain size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Soak {
    calls: usize,
    seed: u64,
}

/// What a soak was made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Writes that landed.
    pub writes: usize,
    /// Removals that took effect.
    pub removals: usize,
    /// Reads that were answered.
    pub reads: usize,
    /// Writes and removals whose outcome is unknown.
    pub unanswered: usize,
}

impl Soak {
    /// A soak of that many calls. More than a quarter of them are writes that land: to find one loss in a thousand, take 4,000 or
    /// more.
    pub const fn of(calls: usize) -> Self {
        Self { calls, seed: 0 }
    }

    /// The same with other choices; as it is, callers choose the same in every run, and only their timing differs.
    #[must_use]
    pub const fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Soaks a store through two handles, with keys under `prefix` that nobody else uses and that were never used before. What was
    /// written stays there.
    ///
    /// # Errors
    /// If the store did what no store may, or did not answer.
    pub async fn run(&self, store: &SharedStore, other: &SharedStore, prefix: &str) -> Result<Tally, Breach> {
        let board = Arc::new(Board::new(prefix, KEYS));
        let mut callers = JoinSet::new();
        for number in 0..CALLERS {
            let handle = if number % 2 == 0 { store } else { other };
            let seed = u128::from(self.seed) << 64 | number as u128;
            let caller = Caller::new(Arc::clone(handle), Arc::clone(&board), seed);
            callers.spawn(caller.call(self.calls / CALLERS));
        }
        let mut histories = merged(callers.join_all().await)?;
        // Nothing is under way any more: what is there now must be explained as well.
        for handle in [store, other] {
            let last = Caller::new(Arc::clone(handle), Arc::clone(&board), 0).read_all().await?;
            join(&mut histories, last);
        }
        judge(&histories)
    }
}

type Histories = BTreeMap<String, History>;

fn merged(told: Vec<Result<Histories, Breach>>) -> Result<Histories, Breach> {
    let mut all = Histories::new();
    for histories in told {
        join(&mut all, histories?);
    }
    Ok(all)
}

fn join(all: &mut Histories, more: Histories) {
    for (key, history) in more {
        all.entry(key).or_default().join(history);
    }
}

fn judge(histories: &Histories) -> Result<Tally, Breach> {
    let mut tally = Tally::default();
    for (key, history) in histories {
        let names = naming::names(key, history)?;
        order::check(key, history, &names)?;
        history.calls.iter().for_each(|call| match (&call.effect, call.ended) {
            (Effect::Put { .. }, Some(_)) => tally.writes += 1,
            (Effect::Delete { .. }, Some(_)) => tally.removals += 1,
            (Effect::Get { .. }, _) => tally.reads += 1,
            (Effect::Put { .. } | Effect::Delete { .. }, None) => tally.unanswered += 1,
        });
    }
    Ok(tally)
}

/// A history that no store which keeps the contract could have.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Breach {
    /// The key it happened to.
    pub key: String,
    /// What was seen, and why it can't be.
    pub what: String,
}

impl Breach {
    pub(super) fn of(key: &str, what: impl Into<String>) -> Self {
        Self { key: key.to_owned(), what: what.into() }
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.what)
    }
}

impl std::error::Error for Breach {}
