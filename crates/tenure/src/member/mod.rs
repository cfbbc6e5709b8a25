//! A member: this process's part in a cluster.

mod builder;
mod event;
mod handle;
mod lease;
mod name;
mod puppet;

pub(crate) use name::fresh_bits;

pub use builder::MemberBuilder;
pub use event::{Event, Events};
pub use handle::Member;
pub use lease::{LeaseView, LeaseWatch};
#[doc(hidden)]
pub use puppet::Puppet;
pub use tenure_core::config::OnStuck;
pub use tenure_core::member::{Me, Snapshot, WorkView};
pub use tenure_core::message::LapseReason;
pub use tenure_core::survey::{HoldingView, MemberView};
