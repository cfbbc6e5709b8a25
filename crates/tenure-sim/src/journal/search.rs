//! Depth first through every state that can be reached.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use tenure_core::journal::Rules;
use xxhash_rust::xxh3::Xxh3;

use super::promise::Promise;
use super::scope::Scope;
use super::state::{State, Step};

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How many different states were reached.
    pub states: usize,
    /// The first broken promise, and the way to it.
    pub broken: Option<(Promise, Vec<Step>)>,
}

/// A fingerprint is a hash already.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only whole numbers are kept");
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

fn fingerprint(state: &State) -> u64 {
    let mut hasher = Xxh3::new();
    state.hash(&mut hasher);
    hasher.finish()
}

/// Searches all of `scope` under `rules`, on a store that perhaps overwrites in spite of conditions.
pub fn search(scope: &Scope, rules: Rules, overwrites: bool) -> Outcome {
    let mut seen: HashSet<u64, BuildHasherDefault<AsItIs>> = HashSet::default();
    let begin = State::new(scope, rules, overwrites);
    seen.insert(fingerprint(&begin));
    let mut path: Vec<(State, std::vec::IntoIter<Step>, Step)> = Vec::new();
    let steps = begin.steps(scope).into_iter();
    path.push((begin, steps, Step::Append(0)));
    while let Some((state, steps, _)) = path.last_mut() {
        let Some(step) = steps.next() else {
            path.pop();
            continue;
        };
        match state.take(&step) {
            Err(promise) => {
                let way = path.into_iter().skip(1).map(|(_, _, step)| step).chain([step]).collect();
                return Outcome { states: seen.len(), broken: Some((promise, way)) };
            }
            Ok(next) if seen.insert(fingerprint(&next)) => {
                let steps = next.steps(scope).into_iter();
                path.push((next, steps, step));
            }
            Ok(_) => {}
        }
    }
    Outcome { states: seen.len(), broken: None }
}
