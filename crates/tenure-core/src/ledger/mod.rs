//! The ledger: what this member has read of it, and the five transitions of a holding (P1–P5).

mod account;
mod book;
#[cfg(test)]
mod ledger_tests;
mod transition;

pub use account::Account;
pub use book::{Book, Leaf};
pub use transition::Step;
