//! The others, by observation: who is active, silent, closed, lost (O1–O4).

mod entry;
mod missing;
mod roster;
mod sighting;

pub use entry::Entry;
pub use roster::Roster;
pub use sighting::Sighting;
