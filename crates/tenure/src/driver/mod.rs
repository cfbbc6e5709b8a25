//! Runs the machine: small, boring.
//!
//! One task owns the machine. It waits for a deadline, a reply, a hint, a command or the end of work, reads the clock
//! *after* it woke, tells the machine, and does what the machine says, in order. It decides nothing.

mod actions;
mod calls;
mod consumer;
mod deaths;
mod hold;
mod input;
mod publish;
mod reminder;
mod reporter;
mod run;
mod stage;
mod worker;
mod workers;

pub(crate) use calls::{Calls, Location, listed};
pub(crate) use consumer::{ComingShard, Consumer, Handler};
pub(crate) use deaths::Deaths;
pub(crate) use hold::{Hold, Running};
pub(crate) use input::{Command, Inbox, Input};
pub(crate) use reporter::Reporter;
pub(crate) use run::{Driver, Parts};
pub(crate) use stage::Stage;
pub(crate) use worker::WorkerId;
pub(crate) use workers::Workers;
