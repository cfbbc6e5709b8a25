//! Counts calls by operation and outcome, and how long they took: plain atomics, for anybody to read; and
//! gives each a span.

mod figures;
mod span;
mod store;

pub(crate) use figures::CallCounters;
pub use figures::{CallFigures, Figures, Latency, Outcome};
pub use store::Metered;
