//! A store that misbehaves as stores do: for tests in one process and in many.
//!
//! Faults are small judges. Each call is brought before them in order; the first verdict other than [`Verdict::Pass`] is
//! carried out. Chance comes from a seed, so a run can be told again.

mod judge;
mod store;

pub use judge::{Call, Chance, Dice, Judge, Outage, Script, Verdict};
pub use store::Faulty;
