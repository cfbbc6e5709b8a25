//! The whole member as one machine: events in, actions out.

mod breath;
mod calls;
mod closing;
mod founding;
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

pub use machine::Machine;
pub use snapshot::{Me, Snapshot, WorkView};
