//! The others, by observation: who is active, silent, closed, lost (O1–O4).

mod entry;
mod missing;
mod observer;
#[cfg(test)]
mod observer_tests;
mod sighting;
mod vigil;

pub use entry::{Entry, Trust};
pub use observer::Roster;
pub use sighting::Sighting;
