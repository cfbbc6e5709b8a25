//! What is not as it should be, a sentence each: the same for the picture, for `--json` and for `--check`.

use std::collections::BTreeMap;
use std::time::Duration;

use tenure::ShardId;
use tenure::cluster::{MemberStatus, MemberView, Survey};
use tenure_core::record::{FAILING_MAX, Failing};

use crate::format;

/// What is wrong with a cluster, as it was seen when its wall clocks showed `now_ms`.
pub(super) struct Complaints<'a> {
    pub(super) survey: &'a Survey,
    pub(super) now_ms: u64,
}

impl Complaints<'_> {
    /// Everything.
    pub(super) fn all(&self) -> Vec<String> {
        let unowned = (!self.survey.unowned.is_empty())
            .then(|| format!("unowned: {}", format::shards(&self.survey.unowned, 60)));
        unowned.into_iter().chain(self.beside_unowned()).collect()
    }

    /// Everything but shards without an owner.
    pub(super) fn beside_unowned(&self) -> Vec<String> {
        let members = || self.survey.members.iter();
        let silent = members().filter(|view| view.state == MemberStatus::Silent).map(silent);
        let stuck = members().filter(|view| !view.stuck.is_empty()).map(stuck);
        let failing = members().flat_map(|view| self.failing(view));
        silent.chain(stuck).chain(failing).chain(self.survey.problems.iter().cloned()).collect()
    }

    /// How many shards are owned, and nothing runs for them, or fails again and again.
    pub(super) fn idle(&self) -> usize {
        self.survey.members.iter().map(MemberView::idle).sum()
    }

    /// Shards of one member that fail in the same way are told together.
    fn failing(&self, view: &MemberView) -> Vec<String> {
        let mut ways: BTreeMap<&str, Vec<&Failing>> = BTreeMap::new();
        for failing in &view.failing {
            ways.entry(&failing.error).or_default().push(failing);
        }
        ways.into_iter().map(|(error, all)| self.way(view, error, &all)).collect()
    }

    fn way(&self, view: &MemberView, error: &str, all: &[&Failing]) -> String {
        let shards: Vec<ShardId> = all.iter().map(|failing| failing.shard).collect();
        let most = all.iter().map(|failing| failing.failures).max().unwrap_or(0);
        let next = all.iter().filter_map(|failing| failing.retry_at_ms).min();
        let next = next.map_or_else(
            || "runs again".into(),
            |at| match at.saturating_sub(self.now_ms) {
                0 => "next try now".into(),
                left => format!("next try in {}", format::span(Duration::from_millis(left))),
            },
        );
        let more = if view.failing.len() == FAILING_MAX { " and perhaps others" } else { "" };
        let (shards, times) = (format::shards(&shards, 60), format::count(most as usize, "failure"));
        format!(
            "{} owns {shards}{more} to no avail: {times} in a row, {next}; the last said: {error}",
            view.id
        )
    }
}

fn silent(view: &MemberView) -> String {
    let (age, ttl) = (Duration::from_millis(view.renewed_ago_ms), Duration::from_millis(view.ttl_ms));
    let waiting = match view.holds.len() {
        0 => "it holds nothing".into(),
        held => format!("{} until another member deposes it", waits(held)),
    };
    format!("{} is silent for {} of {}; {waiting}", view.id, format::span(age), format::span(ttl))
}

fn stuck(view: &MemberView) -> String {
    let shards = format::shards(&view.stuck, 60);
    let (noun, verb) = if view.stuck.len() > 1 { ("shards", "are") } else { ("shard", "is") };
    format!("{noun} {shards} {verb} stuck at {}: the work was interrupted and does not end", view.id)
}

fn waits(held: usize) -> String {
    let verb = if held == 1 { "waits" } else { "wait" };
    format!("{} {verb}", format::count(held, "shard"))
}
