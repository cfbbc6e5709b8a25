//! The show as it stands: a picture that changes by what happens, and by nothing else.
//!
//! No clock, no process, no terminal: what happens is told to [`Show::handle`], keys to [`Show::press`]; the view draws what
//! is here, and the lines that are printed without a terminal are its log.

mod difference;
mod happening;
mod log;
mod shown_member;
mod state;

#[cfg(test)]
mod state_tests;

pub(super) use happening::{Blow, Closing, End, Happening, Order, Press};
pub(super) use log::LogEntry;
pub(super) use shown_member::{ProcessState, ShownMember, name};
pub(super) use state::Show;
