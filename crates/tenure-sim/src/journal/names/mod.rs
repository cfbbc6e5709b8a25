//! The journal on names: the shipped machines, on a store that is modelled.
//!
//! Reads are one step: a read that is slow is an owner that is slow. [`State`] is everything there is and everything that can happen;
//! `owner` holds the machines; `store` keeps the names, with the true history beside them; `damage` is what is done to it from outside.

mod damage;
mod owner;
mod state;
mod store;
mod walked;

pub use owner::Talk;
pub use state::{State, Step};
