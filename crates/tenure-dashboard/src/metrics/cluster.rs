//! A cluster's figures, as the dashboard sees it.

use tenure::cluster::MemberStatus;
use tenure::metric::HANDOFF_CLASSES_S;
use tenure::store::layer::metered;

use super::Page;
use super::catalogue::{
    FAILING, LATE_RENEWALS, LOSSES, MEMBER_LEASE_LEFT, MEMBER_SHARDS, MEMBERS, MOVES, MOVING, PROBLEMS,
    RENEWALS, SEEN, SEEN_AGE, SHARDS, STORE_CALLS, UNOWNED, VIEWERS, WITHOUT_OWNER,
};
use crate::view::MemberState;

/// What the board knows of the cluster.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClusterFigures {
    pub(crate) seen: bool,
    pub(crate) seen_age_s: f64,
    pub(crate) shards: usize,
    pub(crate) unowned: usize,
    pub(crate) moving: usize,
    pub(crate) failing: usize,
    pub(crate) problems: usize,
    pub(crate) members: Vec<MemberFigures>,
    pub(crate) renewals: u64,
    pub(crate) late_renewals: u64,
    pub(crate) moves: u64,
    pub(crate) losses: u64,
    /// By class of [`HANDOFF_CLASSES_S`], and one more for all others.
    pub(crate) gaps: [u64; HANDOFF_CLASSES_S.len() + 1],
    pub(crate) gaps_s: f64,
}

/// What it knows of one member.
#[derive(Clone, Debug)]
pub(crate) struct MemberFigures {
    pub(crate) id: String,
    pub(crate) state: MemberState,
    pub(crate) shards: u32,
    /// Without a lease, none.
    pub(crate) lease_left_s: Option<f64>,
}

impl ClusterFigures {
    /// Adds them to a page.
    pub(crate) fn add(&self, page: &mut Page) {
        page.gauge(SEEN, f64::from(u8::from(self.seen)));
        page.gauge(SEEN_AGE, self.seen_age_s);
        page.gauge(SHARDS, self.shards as f64);
        page.gauge(UNOWNED, self.unowned as f64);
        page.gauge(MOVING, self.moving as f64);
        page.gauge(FAILING, self.failing as f64);
        page.gauge(PROBLEMS, self.problems as f64);
        page.gauges(MEMBERS, self.states());
        let open = || self.members.iter().filter(|member| member.lease_left_s.is_some() || member.shards > 0);
        page.gauges(MEMBER_SHARDS, open().map(|member| (member.id.clone(), f64::from(member.shards))));
        let left = |member: &MemberFigures| member.lease_left_s.map(|left| (member.id.clone(), left));
        page.gauges(MEMBER_LEASE_LEFT, self.members.iter().filter_map(left));
        page.counter(RENEWALS, self.renewals);
        page.counter(LATE_RENEWALS, self.late_renewals);
        page.counter(MOVES, self.moves);
        page.counter(LOSSES, self.losses);
        page.histogram(WITHOUT_OWNER, self.gaps_s, &HANDOFF_CLASSES_S, &self.gaps);
    }

    /// Every state that a member can be in has a value, if only 0: an alert needs something to compare.
    fn states(&self) -> Vec<(String, f64)> {
        let count = |status: MemberStatus| {
            let of_it = self.members.iter().filter(|member| member.state == status.into()).count();
            (status.name().to_owned(), of_it as f64)
        };
        let mut states = MemberStatus::ALL.map(count).to_vec();
        states.sort_by(|one, other| one.0.cmp(&other.0));
        states
    }
}

impl Page {
    /// Adds what the dashboard knows of itself.
    pub(crate) fn add_own(&mut self, calls: &metered::Figures, viewers: usize) {
        self.store_calls(STORE_CALLS, calls);
        self.gauge(VIEWERS, viewers as f64);
    }
}
