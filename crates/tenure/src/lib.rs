//! Exclusive ownership of shards.

pub mod clock;
pub mod store;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
