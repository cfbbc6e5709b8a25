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
//! what; [`record`] is what is stored; [`survey`] is what it all looks like, [`operator`] what people may change, [`recovery`] what they do after the store forgot; [`guard`] is what work asks before it acts; [`warden`] is for work in child processes.

pub mod config;
pub mod entropy;
pub mod flaw;
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
mod schedule;
pub mod shard;
pub mod survey;
pub mod text;
pub mod warden;

#[cfg(test)]
mod fuzz;
