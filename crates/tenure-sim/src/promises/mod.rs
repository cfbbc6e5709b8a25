//! What the protocol promises, one file for each promise, and what is true, as only a simulation can know it.
//!
//! A watch is called whenever something happened that could break its promise; between such moments leases only run out and guards
//! only close, so nothing is missed. [`Promise`] has the names, and the letters that docs/protocol.md gives them.

pub(crate) mod closed_has_no_lease;
pub(crate) mod earlier_ended;
pub(crate) mod epochs_grow;
pub(crate) mod lapsed_never_acts;
pub(crate) mod nonsense_left_alone;
mod promise;
pub(crate) mod settles;
pub(crate) mod single_owner;
mod truth;

pub use promise::{Promise, Violation};
pub(crate) use promise::{Scene, Verdict};
pub(crate) use truth::{LifeNo, Truth};
