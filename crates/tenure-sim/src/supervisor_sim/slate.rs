//! What member and helpers share, and what they say to each other.

use std::collections::VecDeque;

use tenure_core::moment::Moment;
use tenure_core::warden::{Order, Report, Term};

/// Memory and sockets between the processes. They outlive everybody.
#[derive(Debug, Default)]
pub(super) struct Slate {
    pub(super) term: Term,
    pub(super) guard: Option<Moment>,
    pub(super) reaper_pulse: u64,
    pub(super) warden_pulse: u64,
    pub(super) orders: VecDeque<Order>,
    pub(super) reports: VecDeque<Report>,
    /// The reaper is to look at once.
    pub(super) hint: bool,
}
