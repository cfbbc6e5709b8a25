//! One shard here: warm, act, drain, release; failed work is started again with growing pauses.

mod tenancy;
#[cfg(test)]
mod tenancy_tests;

pub use tenancy::{Tenancy, Verdict, WorkState};
