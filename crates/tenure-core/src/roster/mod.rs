//! The others, by observation: who is active, silent, closed, lost (O1–O4).

mod missing;
mod observer;
#[cfg(test)]
mod observer_tests;
mod seen;
mod sighting;
mod suspects;

pub use observer::Roster;
pub use seen::{SeenRecord, Trust};
pub use sighting::Sighting;
