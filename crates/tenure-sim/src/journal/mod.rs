//! The journal in the simulator: the shipped machines, owners in any overlap, writes that land late, twice or never, answers that are
//! lost, snapshots beside appends, removals that land whenever they like.
//!
//! [`search()`] goes through every state of a small [`Scope`]; [`walk`] is led by a seed, far beyond. `history` is the truth that judges; `promise` says what must hold (V1–V7 of
//! docs/journal.md). [`names`] and [`rows`] are the two mechanisms.

mod history;
pub mod names;
mod owner;
mod promise;
pub mod rows;
mod scope;
mod search;
pub mod walk;

#[cfg(test)]
mod tests;

pub use promise::Promise;
pub use scope::Scope;
pub use search::{Outcome, World, search};
