//! What a cluster looks like, from within or from without.
//!
//! Members and onlookers build their pictures by one and the same `Surveyor`, so that there is one truth to look at. An
//! [`Onlooker`] has no lease and takes no step: it reads meta, pages and members, and says what it saw. What it saw is
//! [`Survey`]; what changed between two of them is [`News`].

mod news;
mod onlooker;
mod surveyor;
mod view;
mod what_if;
mod whereabouts;
mod wording;

#[cfg(test)]
pub(crate) mod scene;
#[cfg(test)]
mod survey_tests;

pub use news::{News, news};
pub use onlooker::Onlooker;
pub use view::{HoldingView, MemberStatus, MemberView, Survey};
pub use what_if::{Doubt, Move, Newcomer, Outcome, Share, Weighed, WhatIf};
pub use whereabouts::{Standing, Whereabouts};

pub(crate) use surveyor::Surveyor;
