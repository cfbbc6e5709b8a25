//! Exclusive ownership of shards.

pub mod store;
