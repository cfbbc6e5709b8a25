//! What the dashboard knows: pure state that is told what was seen and when, and says what changed.
//!
//! Nothing here waits, calls or reads a clock; the observer does. All viewers share one board.

mod answers;
mod cell;
mod gaps;
mod member_index;
mod members;
mod renewals;
mod series;
mod state;
mod tenancy;
mod timeline;

#[cfg(test)]
mod board_tests;
#[cfg(test)]
mod fuzz_tests;

pub(crate) use answers::PictureBase;
pub(crate) use members::Extras;
pub(crate) use series::{Outside, STEP_MS};
pub(crate) use state::{Board, Seen};
