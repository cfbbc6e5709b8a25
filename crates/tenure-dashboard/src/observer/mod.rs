//! Looks at the cluster, for all viewers together.

mod acts;
mod extras_reader;
mod look;
mod pace;
mod source;

pub(crate) use look::{observe, story};
pub(crate) use source::OfBoard;
