//! Figures for Prometheus: of a cluster as it is seen, and of a member by its own word. Names come from catalogues alone.

mod catalogue;
mod cluster;
mod member;
mod page;

pub use catalogue::CLUSTER;
pub use member::member_page;
pub use page::TYPE;

pub(crate) use cluster::{ClusterFigures, MemberFigures};
pub(crate) use member::add as add_member;
pub(crate) use page::Page;
