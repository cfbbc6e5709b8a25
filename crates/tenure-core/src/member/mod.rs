//! The whole member as one machine: events in, actions out.

mod action;
mod breath;
mod calls;
mod closing;
mod config;
mod event;
mod founding;
mod giving_back;
#[cfg(test)]
mod giving_back_tests;
mod glance;
#[cfg(test)]
mod glance_tests;
mod leaving;
mod look;
mod machine;
#[cfg(test)]
mod machine_tests;
mod overruled;
mod picture;
mod planning;
mod reading;
mod seating;
mod snapshot;
mod steps;
#[cfg(test)]
mod town;
#[cfg(test)]
mod trust_tests;

pub use crate::survey::{HoldingView, MemberView};
pub use action::{Action, CallId, Ending, Grant, LapseReason, Notice, Request, When};
pub use config::{Config, OnStuck, Restart};
pub use event::{Event, Fault, Outcome, Reply, Versioned};
pub use machine::Machine;
pub use snapshot::{Me, Snapshot, WorkView};
