//! Simulates clusters of `tenure` in virtual time.
//!
//! A seed decides everything: the cluster's shape, its clocks, every message's way and every fault. The machines are the
//! real ones, the records are the real ones; only the store, the clock, the network and the work are simulated. After the
//! faults everything is healed, and what was promised must hold. A seed that breaks a promise breaks it every time, so one
//! number is a whole bug report.

pub mod bug;
mod chance;
pub mod clock;
mod faults;
pub mod fleet;
pub mod journal;
pub mod library_sim;
pub mod log;
pub mod machine_sim;
pub mod model;
pub mod mutants;
mod network;
mod promises;
mod queue;
mod store;
pub mod supervisor_sim;
mod surroundings;
mod words;

pub use promises::{Promise, Violation};
