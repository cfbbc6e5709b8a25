//! Looks at the cluster, for all viewers together.

mod acts;
mod look;
mod margin;
mod pace;
mod source;

pub(crate) use look::{observe, story};
pub(crate) use source::OfBoard;
