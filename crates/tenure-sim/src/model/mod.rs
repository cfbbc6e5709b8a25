//! The protocol, said a second time: a small abstract model, searched exhaustively within stated bounds.
//!
//! It shares no code with the machines of `tenure-core`. Two statements of the same rules, written apart, must agree.
//!
//! Where to start reading: [`State`] is everything there is; [`Step`] is everything that can happen. Then one file for
//! each group of rules: `lease` (L1–L5), `observe` (O1–O4), `ledger` (P1–P5, W2), `act` (W1, grants, G1), and `store`
//! for writes that are late or lost. `promises` says what must hold, `settle` that the cluster gets going again,
//! [`Mutant`] lists the ways to break a rule, and [`Scope`] the bounds of each search.
//!
//! Three ideas keep it small without leaving a behaviour out:
//!
//! * **The quickest observer.** Nobody's view of a record is stored. A step that needs an observer may be taken as soon as
//!   *some* observer could take it: the one that saw each version the moment it landed. If that one breaks nothing, slower
//!   ones don't either.
//! * **Facts are everybody's.** What anybody could once read and may use for ever (closed, released, granted, named) is kept
//!   in [`Facts`], and everybody may use it, for reads may be old and go back in time.
//! * **A version never comes back.** So a conditional write can land only while the record stays as it was; the first
//!   change refuses it. Sequence numbers need no place in the state.

mod act;
mod facts;
mod fault;
mod incarnation;
mod lease;
mod ledger;
mod mutant;
mod observe;
mod promises;
mod rules;
mod scope;
mod search;
mod settle;
mod state;
mod step;
mod store;
mod timing;
mod trace;

#[cfg(test)]
mod mutant_tests;
#[cfg(test)]
mod scope_tests;

pub use facts::{Facts, Named};
pub use incarnation::{Epochs, Incarnation, Incarnations};
pub use mutant::{Fate, Mutant};
pub use promises::Promises;
pub use rules::Rules;
pub use scope::Scope;
pub use search::{Outcome, Search, Violation};
pub use state::{Flight, Flown, Holder, Page, Process, ProcessPhase, Record, Register, Stand, State, When};
pub use step::{Plan, Slot, Step};
pub use timing::Timing;
pub use trace::tell;
