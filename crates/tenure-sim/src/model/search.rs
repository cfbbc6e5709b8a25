//! The search: every state that can be reached, breadth first, so that the first violation found is a shortest one.
//!
//! A visited state is kept as a fingerprint of 128 bits; only the states of the present and the next depth are whole. For each
//! state its parent and its step are kept (8 bytes), from which a violation's story is told again.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::xxh3_128;

use super::promises::Promises;
use super::rules::Rules;
use super::state::State;
use super::step::Step;
use crate::promises::Promise;

/// A search of one scope, perhaps with a mutant.
#[derive(Debug)]
pub struct Search {
    rules: Rules,
    promises: Promises,
    most: usize,
    report: Option<fn(&Outcome)>,
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How many different states were reached.
    pub states: usize,
    /// How many steps the farthest is away.
    pub depth: usize,
    /// Whether every state within the scope was reached.
    pub complete: bool,
    /// How long it took.
    pub elapsed: Duration,
    /// The first broken promise.
    pub violation: Option<Violation>,
}

/// A broken promise, and a shortest way to it.
#[derive(Clone, Debug)]
pub struct Violation {
    /// Which.
    pub promise: Promise,
    /// The steps from the beginning.
    pub steps: Vec<Step>,
}

impl Search {
    /// A search that asserts what the scope asks for, and gives up after a hundred million states.
    pub fn new(rules: Rules) -> Self {
        Self { rules, promises: rules.scope.promises(), most: 100_000_000, report: None }
    }

    /// Asserts `promises` instead.
    #[must_use]
    pub fn asserting(self, promises: Promises) -> Self {
        Self { promises, ..self }
    }

    /// Gives up after `most` states.
    #[must_use]
    pub fn at_most(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// Calls `report` after each depth.
    #[must_use]
    pub fn reporting(self, report: fn(&Outcome)) -> Self {
        Self { report: Some(report), ..self }
    }

    /// Searches until everything is reached, a promise is broken, or there are too many states.
    pub fn run(&self) -> Outcome {
        let mut reached = Reached::new();
        let mut frontier = reached.begin(State::first());
        let mut depth = 0;
        while !frontier.is_empty() {
            let (next, violation) = self.spread(&mut reached, &frontier);
            let full = reached.ways.len() >= self.most;
            if violation.is_some() || full {
                return reached.outcome(depth + 1, false, violation);
            }
            depth += usize::from(!next.is_empty());
            frontier = next;
            if let Some(report) = self.report {
                report(&reached.outcome(depth, false, None));
            }
        }
        reached.outcome(depth, true, None)
    }

    /// All new states that are one step away from the frontier.
    fn spread(
        &self,
        reached: &mut Reached,
        frontier: &[(u32, State)],
    ) -> (Vec<(u32, State)>, Option<Violation>) {
        let (mut next, mut steps) = (Vec::new(), Vec::new());
        for (place, state) in frontier {
            steps.clear();
            Step::all(&self.rules, state, &mut steps);
            for step in &steps {
                let after = step.take(&self.rules, state);
                let Some(new) = reached.add(&after, *place, *step) else { continue };
                if let Some(promise) = self.promises.broken(&self.rules, &after) {
                    return (next, Some(Violation { promise, steps: reached.way_to(new) }));
                }
                next.push((new, after));
            }
            if reached.ways.len() >= self.most {
                break;
            }
        }
        (next, None)
    }
}

/// Where the search has been.
struct Reached {
    prints: HashSet<u128, BuildHasherDefault<Low>>,
    ways: Vec<(u32, Step)>,
    bytes: Bytes,
    since: Instant,
}

impl Reached {
    fn new() -> Self {
        Self { prints: HashSet::default(), ways: Vec::new(), bytes: Bytes::default(), since: Instant::now() }
    }

    fn begin(&mut self, first: State) -> Vec<(u32, State)> {
        self.add(&first, 0, Step::Tick).map(|place| (place, first)).into_iter().collect()
    }

    fn add(&mut self, state: &State, parent: u32, step: Step) -> Option<u32> {
        let place =
            u32::try_from(self.ways.len()).expect("a search gives up before four thousand million states");
        self.prints.insert(self.bytes.print(state)).then(|| {
            self.ways.push((parent, step));
            place
        })
    }

    fn way_to(&self, place: u32) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut at = place;
        while at != 0 {
            let (parent, step) = self.ways[at as usize];
            steps.push(step);
            at = parent;
        }
        steps.reverse();
        steps
    }

    fn outcome(&self, depth: usize, complete: bool, violation: Option<Violation>) -> Outcome {
        Outcome { states: self.ways.len(), depth, complete, elapsed: self.since.elapsed(), violation }
    }
}

/// A state as bytes, for its fingerprint. Numbers of the model are small; so are the tags of enums.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn print(&mut self, state: &State) -> u128 {
        self.0.clear();
        state.hash(self);
        xxh3_128(&self.0)
    }
}

impl Hasher for Bytes {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn write_isize(&mut self, tag: isize) {
        self.0.push(tag as u8);
    }

    fn write_usize(&mut self, length: usize) {
        self.0.push(length as u8);
    }

    fn finish(&self) -> u64 {
        unreachable!("only the bytes are wanted")
    }
}

/// A fingerprint is mixed already: its low half will do as its hash.
#[derive(Default)]
struct Low(u64);

impl Hasher for Low {
    fn write(&mut self, _: &[u8]) {
        unreachable!("only fingerprints are kept")
    }

    fn write_u128(&mut self, print: u128) {
        self.0 = print as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
