//! What the dashboard knows: pure state that is told what was seen and when, and says what changed.
//!
//! Nothing here waits, calls or reads a clock; the observer does. All viewers share one board.

mod cast;
mod cell;
mod gaps;
mod gauge;
mod roll;
mod series;
mod state;
mod telling;
mod tenancy;
mod timeline;
mod turning;

#[cfg(test)]
mod board_tests;
#[cfg(test)]
mod fuzz_tests;

pub(crate) use cast::Lore;
pub(crate) use series::{Outside, STEP_MS};
pub(crate) use state::{Board, Seen};
pub(crate) use telling::Plate;
