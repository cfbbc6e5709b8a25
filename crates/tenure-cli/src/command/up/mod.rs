//! `tenure up`: a cluster to watch and to break, in one terminal.
//!
//! ```text
//!   keys, signals ──► voice ──► show.press ──► stage ──► fleet (member processes) ──► store, diaries
//!   picture, lines ◄── voice ◄── show.handle ◄── stage ◄── sight (of the store), tally (of the diaries)
//! ```
//! [`show`] is the state and decides; [`view`] draws it; both are pure. [`stage`] owns all that must not stay behind. The
//! [`page`] serves the dashboard, whose viewers are the [`visit`]ors of the stage. The
//! figures are measured: each member's work writes down when it acts ([`diary`]), and [`tally`] adds that up.

mod args;
mod diary;
mod fleet;
mod member;
mod page;
mod place;
mod screen;
mod script;
mod show;
mod sight;
mod stage;
mod summary;
mod tally;
mod view;
mod visit;
mod voice;

pub(crate) use args::Args;
pub(crate) use member::Servant;
