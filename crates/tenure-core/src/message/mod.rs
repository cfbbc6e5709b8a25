//! The words that machines and their drivers exchange. It knows none of the machines.

mod action;
mod call;
mod event;
mod notice;

pub use action::{Action, Ending, Grant};
pub use call::{CallId, Fault, Reply, Request, Versioned, When};
pub use event::{Event, Outcome};
pub use notice::{LapseReason, Notice};
