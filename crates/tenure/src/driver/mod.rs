//! Runs the machine: small, boring.
//!
//! One task owns the machine. It waits for a deadline, a reply, a hint, a command or the end of work, reads the clock
//! *after* it woke, tells the machine, and does what the machine says, in order. It decides nothing.

mod calls;
mod carry;
mod crew;
mod deaths;
mod hold;
mod input;
mod job;
mod pace;
mod post;
mod publish;
mod run;
mod stage;
mod telling;

pub(crate) use calls::{Calls, Location, listed};
pub(crate) use crew::Crew;
pub(crate) use deaths::Deaths;
pub(crate) use hold::{Hold, Running};
pub(crate) use input::{Command, Inbox, Input};
pub(crate) use job::{Duty, Job, Ticket};
pub(crate) use post::PostId;
pub(crate) use run::{Driver, Parts};
pub(crate) use stage::Stage;
pub(crate) use telling::Telling;
