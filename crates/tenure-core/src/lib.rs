//! The ownership protocol of `tenure`, as pure machines.
//!
//! Nothing here reads a clock, draws a random number, opens a file or waits. A machine is told what happened and what
//! time it is, and answers with what to do:
//!
//! ```text
//!            Event, now                    Action…
//!  driver ───────────────► member::Machine ───────► driver
//!         ◄── deadline() ──                          (store calls, work to start and end)
//! ```
//!
//! Where to begin: [`member`] composes the parts; [`lease`] keeps our own lease; [`roster`] watches the others;
//! [`ledger`] knows the five transitions of a holding; [`shard`] is one shard's work here; [`plan`] says who should own
//! what; [`record`] is what is stored; [`survey`] is what it all looks like, [`operator`] what people may change, [`recovery`] what they do after the store forgot; [`rules`] are the decisions themselves, one by one; [`guard`] is what work asks before it acts; [`warden`] is for work in child processes.

pub mod config;
pub mod entropy;
#[cfg(feature = "flaws")]
pub mod flawed;
pub mod guard;
pub mod ids;
pub mod journal;
pub mod lease;
pub mod ledger;
pub mod member;
pub mod message;
pub mod moment;
pub mod operator;
pub mod plan;
pub mod record;
pub mod recovery;
pub mod roster;
pub mod rules;
mod schedule;
pub mod shard;
pub mod survey;
pub mod text;
pub mod warden;

/// The rules that machines go by: those that are shipped, or, for the simulator, the same with one of them broken.
#[cfg(not(feature = "flaws"))]
pub use rules::Rules;

#[cfg(feature = "flaws")]
pub use flawed::Rules;

#[cfg(test)]
mod fuzz;
