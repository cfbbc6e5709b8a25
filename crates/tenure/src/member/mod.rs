//! A member: this process's part in a cluster.

mod builder;
mod event;
mod handle;
mod lease;
mod name;
#[cfg_attr(
    not(any(test, feature = "testing")),
    expect(unreachable_pub, reason = "only simulations are puppets")
)]
mod puppet;

pub(crate) use name::fresh_bits;

pub use builder::MemberBuilder;
pub use event::{Event, Events};
pub use handle::Member;
pub use lease::{LeaseView, LeaseWatch};
#[cfg(any(test, feature = "testing"))]
#[doc(hidden)]
pub use puppet::Puppet;
#[cfg(not(any(test, feature = "testing")))]
use puppet::Puppet;
pub use tenure_core::config::OnStuck;
pub use tenure_core::member::{LifeState, Me, Snapshot, WorkView};
pub use tenure_core::message::LapseReason;
pub use tenure_core::shard::WorkState;
pub use tenure_core::survey::{HoldingView, MemberStatus, MemberView};
