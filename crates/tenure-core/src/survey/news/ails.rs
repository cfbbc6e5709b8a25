//! What changed about work that fails or does not end, by its members' own word.

use std::collections::{BTreeMap, BTreeSet};

use super::News;
use crate::ids::{MemberId, ShardId};
use crate::survey::MemberView;

/// Adds what changed from `before` to `after`.
pub(super) fn news(before: &[MemberView], after: &[MemberView], found: &mut Vec<News>) {
    let old: BTreeMap<&MemberId, &MemberView> = before.iter().map(|view| (&view.id, view)).collect();
    for view in after {
        of_member(old.get(&view.id).copied(), view, found);
    }
}

fn of_member(before: Option<&MemberView>, view: &MemberView, found: &mut Vec<News>) {
    let failed: BTreeMap<ShardId, u32> =
        before.iter().flat_map(|known| &known.failing).map(|one| (one.shard, one.failures)).collect();
    let stuck: BTreeSet<ShardId> = before.iter().flat_map(|known| &known.stuck).copied().collect();
    let member = || view.id.clone();
    for one in view.failing.iter().filter(|one| failed.get(&one.shard) != Some(&one.failures)) {
        let (shard, failures, error) = (one.shard, one.failures, one.error.clone());
        found.push(News::Failing { member: member(), shard, failures, error });
    }
    let fresh = view.stuck.iter().filter(|shard| !stuck.contains(shard));
    found.extend(fresh.map(|shard| News::Stuck { member: member(), shard: *shard }));
    let ails: BTreeSet<ShardId> =
        view.failing.iter().map(|one| one.shard).chain(view.stuck.iter().copied()).collect();
    let over =
        failed.into_keys().chain(stuck).filter(|shard| !ails.contains(shard) && view.holds.contains(shard));
    found.extend(over.map(|shard| News::Recovered { member: member(), shard }));
}
