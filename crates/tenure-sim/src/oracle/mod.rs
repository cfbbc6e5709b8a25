//! What is true, as only the simulator can know it, and who says so when a machine breaks its promise.

mod life;
mod scene;
mod truth;
mod violation;

pub(crate) use life::{LifeFacts, LifeNo};
pub(crate) use scene::Scene;
pub(crate) use truth::Truth;
pub(crate) use violation::Verdict;
pub use violation::{Invariant, Violation};
