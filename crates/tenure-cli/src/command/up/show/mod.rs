//! The show as it stands: a picture that changes by what happens, and by nothing else.
//!
//! No clock, no process, no terminal: what happens is told to [`Show::handle`], keys to [`Show::press`]; the view draws what
//! is here, and the lines that are printed without a terminal are its log.

mod actor;
mod difference;
mod happening;
mod log;
mod names;
mod state;

#[cfg(test)]
mod state_tests;

pub(super) use actor::{Actor, Plight};
pub(super) use happening::{Blow, Closing, End, Happening, Order, Press};
pub(super) use log::LogEntry;
pub(super) use names::name;
pub(super) use state::Show;
