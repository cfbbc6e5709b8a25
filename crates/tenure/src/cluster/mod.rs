//! A cluster, seen and steered from outside: by people, programs and dashboards that are no members of it.
//!
//! Looking writes nothing. Steering is one conditional write, made by the pure functions of
//! [`tenure_core::operator`]; whatever it changes, the members do the rest.

mod act;
mod inspect;
mod look;
mod note;
mod recover;
mod steer;

pub use act::{Act, Came};
pub use inspect::{Broken, Inspection, Inspector, Mended};
pub use look::{Cluster, Sight};
pub use note::Note;
pub use recover::{Forecast, RecoverError, Recoverer, Step};
pub use steer::SteerError;
pub use tenure_core::operator::Refusal;
pub use tenure_core::record::{Blemish, Remedy};
pub use tenure_core::recovery::Hindrance;
pub use tenure_core::survey::{
    Doubt, HoldingView, MemberStatus, MemberView, Move, Newcomer, News, Outcome, Share, Standing, Survey,
    Weighed, WhatIf, Whereabouts,
};
