//! `tenure dashboard`: the cluster as a page, for as long as it runs.

mod args;
mod serving;

pub(crate) use args::Args;
pub(crate) use serving::Serving;
