//! Exclusive ownership of shards.

pub mod clock;
pub mod store;
