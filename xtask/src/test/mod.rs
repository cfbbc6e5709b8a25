//! `cargo xtask test`: every check there is, cheapest first.
//!
//! [`steps`] lists them, and [`step`] runs them one after the other. [`selection`] knows which tests of stores a run leaves out. Each
//! other file is what one step needs.

mod ahead;
pub(crate) mod api;
mod browser;
mod deny;
mod examples;
mod guide;
mod kafka;
mod publish;
mod selection;
mod step;
mod steps;
mod storms;
mod targets;
mod tidy;
mod tool;

pub(crate) use steps::run;
