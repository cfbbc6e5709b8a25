//! Searches the machines of the journal exhaustively: owners in any overlap, writes that land late or never, answers that are lost,
//! snapshots beside appends, removals that land whenever they like.
//!
//! The machines are the shipped ones; only the store is modelled. Reads are one step: a read that is slow is an owner that is slow.
//!
//! Where to start: [`State`] is everything there is and everything that can happen; `store` is the modelled store with the true
//! history beside it; `owner` holds the shipped machines; `promise` says what must hold (V1–V7 of docs/journal.md); [`Scope`] are the
//! bounds of each search.

mod owner;
mod promise;
mod scope;
mod search;
mod state;
mod store;

#[cfg(test)]
mod tests;

pub use owner::Talk;
pub use promise::Promise;
pub use scope::Scope;
pub use search::{Outcome, search};
pub use state::{State, Step};
