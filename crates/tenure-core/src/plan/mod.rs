//! Who should own what.
//!
//! A plan answers one question: given the members that may own shards and where the shards are now, where should each
//! shard be? It is a pure function of its [`Picture`]: no clock, no chance, no floating point, the same on every
//! platform, so that all members come to the same answer without asking each other.
//!
//! ```text
//!  Picture ──► apportion: how many shards each candidate should have     (zones first, then weights)
//!          ──► those above their number part with some, those below it have room
//!          ──► the placement says which shard is parted with, and who gets it
//! ```
//!
//! How many is the same for all placements and minimises Σ load²/weight exactly (see `apportion.rs`), so a plan never
//! moves a shard that need not move: a leaver's shards and nothing else, a joiner's quota and nothing else.

mod apportion;
mod balance;
mod draft;
mod external;
mod holdings;
mod phases;
mod picture;
mod placement;
mod quota;
mod race;
mod ranges;
mod rank;
mod refusals;
mod rendezvous;
mod ring;
mod score;
mod shard_of;
mod zones;

#[cfg(test)]
mod golden_tests;
#[cfg(test)]
mod movement_tests;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod share_tests;

pub use balance::Balance;
pub use picture::{Candidate, Picture};
pub use placement::{PLAN_VERSION, Placement, Places, plan};
pub use rank::rank;
pub use shard_of::shard_of;
