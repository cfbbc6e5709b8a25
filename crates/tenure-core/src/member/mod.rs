//! The whole member as one machine: events in, actions out.

mod active;
mod breath;
mod calls;
mod claim;
mod closing;
mod founding;
mod giving_back;
#[cfg(test)]
mod giving_back_tests;
mod glance;
#[cfg(test)]
mod glance_tests;
mod health;
mod knowledge;
mod leasing;
mod leaving;
mod lineage;
#[cfg(test)]
mod lineage_tests;
mod look;
mod machine;
#[cfg(test)]
mod machine_tests;
mod needs;
mod picture;
mod placing;
mod planner;
mod releases;
mod replies;
mod scribe;
mod seats;
mod settling;
mod snapshot;
mod told;
#[cfg(test)]
mod town;
#[cfg(test)]
mod trust_tests;

pub use machine::Machine;
pub use snapshot::{LifeState, Me, Snapshot, WorkView};
