//! Simulates clusters of `tenure` in virtual time.
//!
//! A seed decides everything: the cluster's shape, its clocks, every message's way and every fault. The machines are the
//! real ones, the records are the real ones; only the store, the clock, the network and the work are simulated. After the
//! faults everything is healed, and what was promised must hold. A seed that breaks a promise breaks it every time, so one
//! number is a whole bug report.

pub mod clock;
pub mod drill;
pub mod fleet;
mod invariant;
pub mod journal;
pub mod log;
pub mod model;
pub mod mutants;
mod oracle;
mod queue;
pub mod seed;
pub mod supervisor;
mod weather;
mod words;
mod world;

pub use oracle::{Invariant, Violation};
pub use world::WorldFlaw;
