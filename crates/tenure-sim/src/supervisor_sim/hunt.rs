//! Many seeds on several threads, and the hunt for a rule that is broken on purpose.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use super::{Breach, Flaw, run};

/// Runs these seeds on so many threads: those that broke a promise, in their order. `progress` hears of each that is done.
pub fn run_all(
    seeds: Range<u64>,
    jobs: usize,
    flaw: Option<Flaw>,
    progress: impl Fn() + Sync,
) -> Vec<(u64, Breach)> {
    let next = AtomicU64::new(seeds.start);
    let work = || {
        let mut broken = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return broken;
            }
            broken.extend(run(seed, flaw).map(|breach| (seed, breach)));
            progress();
        }
    };
    let mut broken: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a seed does not panic")).collect()
    });
    broken.sort_by_key(|(seed, _)| *seed);
    broken
}

/// The first seed of so many that notices the flaw, and keeps every promise without it.
pub fn notices(flaw: Flaw, budget: u64) -> Option<(u64, Breach)> {
    let mut broken = (0..budget).filter_map(|seed| Some((seed, run(seed, Some(flaw))?)));
    broken.find(|(seed, _)| run(*seed, None).is_none())
}
