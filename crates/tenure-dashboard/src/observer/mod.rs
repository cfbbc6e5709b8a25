//! Looks at the cluster, for all viewers together.

mod acts;
mod look;
mod margin;
mod pace;

pub(crate) use look::{observe, story};
