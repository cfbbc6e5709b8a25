//! The simulated network: `route` decides what becomes of a call on its way to the store and back, `hints` who is told of a change,
//! when, and of what.

mod hints;
mod route;

pub(crate) use hints::News;
pub(crate) use route::{Departure, Flight, Network, Sent, carry};
