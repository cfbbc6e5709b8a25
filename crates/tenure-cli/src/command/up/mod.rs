//! `tenure up`: a cluster to watch and to break, in one terminal.
//!
//! ```text
//!   keys, signals  ──► interface ──► show.press  ──► driver ──► fleet (member processes) ──► store, work logs
//!   picture, lines ◄── interface ◄── show.handle ◄── driver ◄── cluster view (of the store), tally (of the work logs)
//! ```
//! [`show`] is the state and decides; [`view`] draws it; both are pure. [`driver`] owns all that must not stay behind. The
//! [`page`] serves the dashboard, whose viewers are the driver's [`visitors`]. The
//! figures are measured: each member's work writes down when it acts ([`work_log`]), and [`tally`] adds that up.
//!
//! Nothing else in the program needs anything of this folder.

mod args;
mod cluster_view;
mod driver;
mod fleet;
mod interface;
mod member;
mod page;
mod screen;
mod script;
mod show;
mod summary;
mod tally;
mod view;
mod visitors;
mod work_log;

pub(crate) use args::Args;
pub(crate) use member::MemberProcess;
