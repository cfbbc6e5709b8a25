//! A member's helpers in virtual time: the shipped machines of [`tenure_core::warden`] on a kernel that is modelled.
//!
//! One member runs commands, each with a worker that left its session and closed everything. Any set of member, reaper and
//! warden is killed or frozen at any step, the store goes away, the member is fenced. Time goes by in milliseconds; within each,
//! whoever is awake may be late. What is promised:
//!
//! - **S1** nothing of a command acts after the end of the lease that it was started under;
//! - **S2** nothing of a command acts once others can prove the member dead, or it has left;
//! - **S3** a run is told as ended only when nothing of it acts;
//! - **S4** nobody is frozen for a ttl beside a member that is awake and does not mind; and in the end everything runs, or
//!   nothing is left.
//!
//! Each rule can be broken on purpose ([`HelperFlaw`]), and is then noticed.

mod flaw;
mod judge;
mod kernel;
mod member;
mod reaper;
mod run;
mod strike;
#[cfg(test)]
mod tests;
mod warden;

pub use flaw::HelperFlaw;

use crate::bug::Bug;
use crate::promises::Violation;

/// Runs `seed`: the promise that it broke, if any.
pub fn run(seed: u64, bug: Option<Bug>) -> Option<Violation> {
    let flaw = match bug {
        Some(Bug::Helpers(flaw)) => Some(flaw),
        Some(Bug::Core(_) | Bug::Outside(_) | Bug::Journal(_)) | None => None,
    };
    run::SupervisorSim::new(seed, flaw).run()
}
