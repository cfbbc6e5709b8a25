//! Is there an order of the calls on one key that explains every answer?
//!
//! The calls are gone through as they ended. From outside one can't know which of the calls under way have taken effect
//! already, so all possibilities are kept: each is what the key would hold, and which of the open calls have had their effect. When
//! a call ends, it must have had it; possibilities in which it can't are dropped, and if none is left, the answer is a lie.
//!
//! Since every write names what it replaces, few possibilities are ever open at once.

use std::collections::{BTreeMap, BTreeSet};

use super::history::{Call, Content, Effect, History};
use super::naming::Names;
use super::plan::Breach;
use crate::store::Version;

/// What a key may hold, and which open calls have had their effect.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Possibility {
    /// The version that is there, or nothing.
    holds: Option<String>,
    done: BTreeSet<usize>,
}

/// More possibilities than this are beyond a check: too many calls were left without an answer.
const POSSIBLE_MAX: usize = 100_000;

/// Checks that the calls of one key, which was absent before them, can be put in an order.
pub(super) fn check(key: &str, history: &History, names: &Names) -> Result<(), Breach> {
    let mut search = Search::new(&history.calls, names);
    for (moment, call) in moments(&history.calls) {
        match moment {
            Moment::Begun => search.open.push(call),
            Moment::Ended => search.end(key, call)?,
        }
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Moment {
    Begun,
    Ended,
}

/// All beginnings and ends, by time.
fn moments(calls: &[Call]) -> Vec<(Moment, usize)> {
    let mut at: BTreeMap<u64, (Moment, usize)> = BTreeMap::new();
    for (number, call) in calls.iter().enumerate() {
        at.insert(call.begun, (Moment::Begun, number));
        at.extend(call.ended.map(|ended| (ended, (Moment::Ended, number))));
    }
    at.into_values().collect()
}

struct Search<'a> {
    calls: &'a [Call],
    names: &'a Names,
    open: Vec<usize>,
    possible: BTreeSet<Possibility>,
}

impl<'a> Search<'a> {
    fn new(calls: &'a [Call], names: &'a Names) -> Self {
        let untouched = Possibility { holds: None, done: BTreeSet::new() };
        Self { calls, names, open: Vec::new(), possible: BTreeSet::from([untouched]) }
    }

    /// The call has ended: what remains possible is where it had its effect.
    fn end(&mut self, key: &str, call: usize) -> Result<(), Breach> {
        let before = std::mem::take(&mut self.possible);
        let mut seen = before.clone();
        let mut ahead: Vec<Possibility> = before.iter().cloned().collect();
        // Ends: each possibility is looked at once, and there are finitely many.
        while let Some(mut possibility) = ahead.pop() {
            if possibility.done.remove(&call) {
                self.possible.insert(possibility);
                continue;
            }
            let nexts = self.open.iter().filter_map(|open| self.after(&possibility, *open));
            ahead.extend(nexts.filter(|next| seen.insert(next.clone())));
            if seen.len() > POSSIBLE_MAX {
                return Err(Breach::of(key, "too many calls were left unanswered to tell what happened"));
            }
        }
        self.open.retain(|open| *open != call);
        if self.possible.is_empty() { Err(self.lie(key, call, &before)) } else { Ok(()) }
    }

    /// What is possible once an open call has its effect; `None` if it can't have it now.
    fn after(&self, before: &Possibility, call: usize) -> Option<Possibility> {
        let effect = &self.calls[call].effect;
        let needs = match effect {
            Effect::Put { over, .. } => over.as_ref(),
            Effect::Delete { version } => Some(version),
            Effect::Get { shown } => shown.as_ref(),
        };
        if before.done.contains(&call) || before.holds.as_deref() != needs.map(Version::as_str) {
            return None;
        }
        let holds = match effect {
            Effect::Put { content, .. } => Some(self.name_of(*content)),
            Effect::Delete { .. } => None,
            Effect::Get { .. } => before.holds.clone(),
        };
        let mut done = before.done.clone();
        done.insert(call);
        Some(Possibility { holds, done })
    }

    /// A write whose answer never came, and that no reader saw, has an unknown version.
    fn name_of(&self, content: Content) -> String {
        let version = self.names.get(&content);
        version.map_or_else(|| format!("the unseen content {content}"), |version| version.as_str().to_owned())
    }

    fn lie(&self, key: &str, call: usize, before: &BTreeSet<Possibility>) -> Breach {
        let held: BTreeSet<&str> =
            before.iter().map(|one| one.holds.as_deref().unwrap_or("nothing")).collect();
        let held: Vec<&str> = held.into_iter().collect();
        let told = match &self.calls[call].effect {
            Effect::Put { over: None, .. } => "a write where nothing was is said to have landed".to_owned(),
            Effect::Put { over: Some(over), .. } => {
                format!("a write over version {} is said to have landed", over.as_str())
            }
            Effect::Delete { version } => {
                format!("version {} is said to have been removed", version.as_str())
            }
            Effect::Get { shown: None } => "a read is said to have found nothing".to_owned(),
            Effect::Get { shown: Some(shown) } => {
                format!("a read is said to have found version {}", shown.as_str())
            }
        };
        let what = format!(
            "{told}; no order of the calls explains it: before it ended, {} was there",
            held.join(" or ")
        );
        Breach::of(key, what)
    }
}

#[cfg(test)]
#[path = "order_tests.rs"]
mod tests;
