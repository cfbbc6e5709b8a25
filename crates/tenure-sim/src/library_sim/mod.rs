//! Seeds for the shipped library: its driver, layers, handlers and guards, in virtual time.
//!
//! The simulator proper turns machines with a driver of its own, fast enough for a million seeds. This one runs what users run:
//! members by their builder, work by their handlers. Only four things are not the shipped ones: each process has a runtime
//! that is turned by hand in place of threads, a manual clock, drawn bits, and the store and network that machines
//! are simulated with, under the same faults. That is slower by far, and catches what only the driver can do wrong.
//!
//! ```text
//!   next moment ─► clocks show it ─► calls land, answers come, faults strike ─► each process runs until it waits ─► judged
//! ```

mod ask;
mod calls;
mod connection;
mod healing;
mod judge;
mod process;
mod run;
mod strikes;
mod work;

#[cfg(test)]
mod tests;

use run::LibrarySim;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::bug::{Bug, Mutant};
use crate::log::Log;
use crate::promises::{Violation, nonsense_left_alone};

/// Runs `seed`: the promise it broke, if any.
pub fn run(seed: u64, bug: Option<Bug>, log: &mut Log) -> Option<Violation> {
    let caught = catch_unwind(AssertUnwindSafe(|| LibrarySim::new(seed, Mutant(bug), log).run()));
    caught.unwrap_or_else(|panic| Some(nonsense_left_alone::panicked(&*panic)))
}
