//! What must hold in every state: one file for each promise.

mod closed;
mod epochs;
mod numbering;
mod over;
mod promise;
mod single;

pub use promise::{Invariant, Promises};
