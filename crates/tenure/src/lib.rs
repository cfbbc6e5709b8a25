//! Exclusive ownership of shards.

pub mod clock;
mod driver;
mod error;
pub mod member;
pub mod metric;
mod router;
pub mod settings;
mod shard;
pub mod store;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod watchdog;

pub use error::{BoxError, Error, ErrorKind};
pub use member::{Event, Events, Member, MemberBuilder, OnStuck, Snapshot};
pub use router::{Route, Router};
pub use settings::Settings;
pub use shard::{Fence, Shard};
pub use tenure_core::ids::{Epoch, MemberId, ShardId};
pub use tenure_core::plan::Placement;
