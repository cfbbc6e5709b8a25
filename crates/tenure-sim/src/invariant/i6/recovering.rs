//! Whoever has lapsed joins again only when the store was well for a while (L4): else it comes and goes with every hiccup.

use crate::machine_sim::Proc;
use crate::oracle::{Invariant, Verdict};

/// Watches a process that sends a record as a lease.
pub(crate) fn joins(proc: &Proc) -> Verdict {
    let again = proc.life.is_some_and(|life| proc.lapsed.contains(&life));
    match again && !proc.conduct.recovered {
        true => {
            Err((Invariant::I6, format!("{} joins again before its store was well for a while", proc.name)))
        }
        false => Ok(()),
    }
}
