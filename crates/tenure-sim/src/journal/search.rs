//! Depth first through every state that can be reached.

use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use xxhash_rust::xxh3::Xxh3;

use super::promise::Promise;

/// Something that goes on step by step.
pub trait World: Clone + Hash {
    /// Something that can happen.
    type Step: Clone + Debug;

    /// What can happen now.
    fn steps(&self) -> Vec<Self::Step>;

    /// Lets it happen.
    fn take(&mut self, step: &Self::Step) -> Result<(), Promise>;
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Outcome<S> {
    /// How many different states were reached.
    pub states: usize,
    /// The first broken promise, and the way to it.
    pub broken: Option<(Promise, Vec<S>)>,
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

fn fingerprint(state: &impl Hash) -> u64 {
    let mut hasher = Xxh3::new();
    state.hash(&mut hasher);
    hasher.finish()
}

/// Searches all that can come of `begin`.
pub fn search<W: World>(begin: W) -> Outcome<W::Step> {
    let mut seen: HashSet<u64, BuildHasherDefault<AsItIs>> = HashSet::default();
    seen.insert(fingerprint(&begin));
    let steps = begin.steps().into_iter();
    let mut path = vec![(begin, steps, None)];
    while let Some((state, steps, _)) = path.last_mut() {
        let Some(step) = steps.next() else {
            path.pop();
            continue;
        };
        let mut next = state.clone();
        match next.take(&step) {
            Err(promise) => {
                let way = path.into_iter().filter_map(|(_, _, step)| step).chain([step]).collect();
                return Outcome { states: seen.len(), broken: Some((promise, way)) };
            }
            Ok(()) if seen.insert(fingerprint(&next)) => {
                let steps = next.steps().into_iter();
                path.push((next, steps, Some(step)));
            }
            Ok(()) => {}
        }
    }
    Outcome { states: seen.len(), broken: None }
}
