//! A whole cluster in virtual time: processes that run the real machine, a simulated store, and everything between them.
//!
//! ```text
//!   strike ──► fault                     ┌─ Proc: machine, clock, work ─┐
//!   queue ───► happening ──► deliver ──► │ handle / advance → actions   │ ──► carry out ──► queue
//!                 │                      └──────────────────────────────┘
//!                 └──► arrival ──► store ──► landing ──► truth, promises
//! ```
//!
//! Where to begin: `run` is the loop, `driver` does for a machine what the real driver does, `network` decides what becomes
//! of a call, `strikes` does harm, `operator` breaks records, `healing` makes everything whole and judges.

mod calls;
mod conduct;
mod driver;
mod duties;
mod healing;
mod landing;
mod proc;
mod queue;
mod run;
mod strikes;
mod tell;
mod watching;
mod work;
mod working;

pub(crate) use proc::Proc;
pub(crate) use run::MachineSim;
pub(crate) use work::Work;

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::bug::{Bug, Mutant};
use crate::clock::Nanos;
use crate::log::Log;
use crate::promises::{Violation, nonsense_left_alone};

/// Runs `seed` up to `until`: the promise it broke, if any.
pub fn run(seed: u64, bug: Option<Bug>, until: Nanos, log: &mut Log) -> Option<Violation> {
    let caught = catch_unwind(AssertUnwindSafe(|| MachineSim::new(seed, Mutant(bug), log).run(until)));
    caught.unwrap_or_else(|panic| Some(nonsense_left_alone::panicked(&*panic)))
}
