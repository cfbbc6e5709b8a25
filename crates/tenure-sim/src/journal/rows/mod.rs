//! The journal on rows: the shipped decisions, on a table that is modelled.
//!
//! A statement is one step, whenever it lands: the row that it changes orders it among all others. What the database does between the
//! statements of one owner is not modelled, and not needed: each is judged by the row as it finds it. [`State`] is everything there is and
//! everything that can happen; `owner` asks and concludes; `table` keeps the rows, with the true history beside them.

mod damage;
mod owner;
mod state;
mod table;
mod walked;

pub use owner::Talk;
pub use state::{State, Step};
