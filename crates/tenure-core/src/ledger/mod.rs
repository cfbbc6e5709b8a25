//! The ledger: what this member has read of it, and the five transitions of a holding (P1–P5).

mod book;
mod transition;

pub use book::{Book, Leaf};
pub use transition::Step;
