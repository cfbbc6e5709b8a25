//! A member: this process's part in a cluster.

mod builder;
mod event;
mod handle;
mod lease;
mod name;

pub(crate) use name::fresh_bits;

pub use builder::MemberBuilder;
pub use event::{Event, Events};
pub use handle::Member;
pub use lease::{LeaseView, LeaseWatch};
pub use tenure_core::member::{HoldingView, LapseReason, Me, MemberView, OnStuck, Snapshot, WorkView};
