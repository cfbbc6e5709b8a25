//! The members of a picture, made from what a look saw.

use std::collections::BTreeMap;

use tenure::MemberId;
use tenure::cluster::{MemberStatus, MemberView, Survey};
use tenure_core::record;

use super::member_index::MemberIndex;
use crate::view::{Failing, Lease, Member, MemberState, Note, Process, Turn};

/// What is known of members besides their records.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extras {
    /// What was written down about them.
    pub(crate) notes: BTreeMap<MemberId, Note>,
    /// In a playground, what their processes are up to.
    pub(crate) processes: BTreeMap<MemberId, Process>,
}

/// All members that a look at `at_ms` showed, and those that it did not show any more, by place. `before` are those of the
/// last look.
pub(super) fn members(
    at_ms: u64,
    survey: &Survey,
    extras: &Extras,
    places: &mut MemberIndex,
    before: &[Member],
) -> Vec<Member> {
    let mut heirs: BTreeMap<&MemberId, u32> = BTreeMap::new();
    for heir in survey.holdings.iter().filter_map(|view| view.heir.as_ref()) {
        *heirs.entry(heir).or_default() += 1;
    }
    let share = Share::of(survey);
    let mut all: BTreeMap<u32, Member> = BTreeMap::new();
    for view in &survey.members {
        let index = places.place(&view.id);
        let known = before.get(index as usize);
        let lease = lease(at_ms, view, known);
        let heir_of = heirs.get(&view.id).copied().unwrap_or(0);
        let member = Member { heir_of, load: share.load(view), lease, ..member(index, view, places, extras) };
        all.insert(index, member);
    }
    for (index, id) in (0..).zip(places.names().to_vec()) {
        let known = before.get(index as usize);
        all.entry(index).or_insert_with(|| forgotten(index, &id, known, places, extras));
    }
    all.into_values().collect()
}

fn member(index: u32, view: &MemberView, places: &mut MemberIndex, extras: &Extras) -> Member {
    Member {
        index,
        id: view.id.to_string(),
        mark: places.mark(&view.id),
        incarnation: view.incarnation.map(|life| life.to_string()),
        state: view.state.into(),
        by: view.by.as_ref().map(ToString::to_string),
        drained: view.drained,
        weight: view.weight,
        zone: view.zone.clone(),
        address: view.address.as_deref().map(Into::into),
        version: view.version.clone(),
        shards: count(view.holds.len()),
        heir_of: 0,
        load: None,
        stuck: view.stuck.iter().map(|shard| shard.0).collect(),
        failing: view.failing.iter().map(failing).collect(),
        lease: Lease { ttl_ms: 0, renewed_ms: 0, seq: 0, open: false },
        note: extras.notes.get(&view.id).cloned(),
        process: extras.processes.get(&view.id).copied(),
    }
}

/// One whose record was removed, or who is named by a shard alone.
fn forgotten(
    index: u32,
    id: &MemberId,
    known: Option<&Member>,
    places: &mut MemberIndex,
    extras: &Extras,
) -> Member {
    let lease = Lease { ttl_ms: 0, renewed_ms: 0, seq: 0, open: false };
    let (weight, zone, version) =
        known.map(|known| (known.weight, known.zone.clone(), known.version.clone())).unwrap_or_default();
    Member {
        index,
        id: id.to_string(),
        mark: places.mark(id),
        incarnation: None,
        state: MemberState::Forgotten,
        by: None,
        drained: false,
        weight,
        zone,
        address: None,
        version,
        shards: 0,
        heir_of: 0,
        load: None,
        stuck: Vec::new(),
        failing: Vec::new(),
        lease,
        note: extras.notes.get(id).cloned(),
        process: extras.processes.get(id).copied(),
    }
}

fn failing(record: &record::Failing) -> Failing {
    let record::Failing { shard, failures, error, retry_at_ms } = record.clone();
    Failing { shard: shard.0, failures, error, retry_at_ms }
}

/// The time of a renewal is that of the look that first saw it: computed anew at each look, it would tremble.
fn lease(at_ms: u64, view: &MemberView, known: Option<&Member>) -> Lease {
    let open = !matches!(view.state, MemberStatus::Gone | MemberStatus::Deposed | MemberStatus::Unreadable);
    let same = known.filter(|known| {
        known.lease.seq == view.seq && known.incarnation == view.incarnation.map(|life| life.to_string())
    });
    let renewed_ms =
        same.map_or_else(|| at_ms.saturating_sub(view.renewed_ago_ms), |known| known.lease.renewed_ms);
    Lease { ttl_ms: view.ttl_ms, renewed_ms, seq: view.seq, open }
}

/// What everybody should own.
struct Share {
    shards: u32,
    weights: u64,
}

impl Share {
    fn of(survey: &Survey) -> Self {
        let active = survey.members.iter().filter(|view| view.state == MemberStatus::Active);
        Self { shards: survey.shards, weights: active.map(|view| u64::from(view.weight)).sum() }
    }

    fn load(&self, view: &MemberView) -> Option<f64> {
        if view.state != MemberStatus::Active || view.weight == 0 {
            return None;
        }
        let fair = f64::from(self.shards) * f64::from(view.weight) / self.weights as f64;
        Some((view.holds.len() as f64 / fair * 1000.0).round() / 1000.0)
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// What became of it, if that is worth a sentence: renewals and shards are not.
pub(super) fn turn(at_ms: u64, was: Option<&Member>, is: &Member) -> Option<Turn> {
    let anew = was.is_some_and(|was| is.lease.open && is_another_life(was, is));
    let same = was.is_some_and(|was| was.state == is.state);
    if same && !anew {
        return None;
    }
    let from = was.map(|was| was.state);
    Some(Turn { at_ms, member: is.id.clone(), from, to: is.state, anew, by: is.by.clone() })
}

fn is_another_life(was: &Member, is: &Member) -> bool {
    was.incarnation.is_some() && is.incarnation.is_some() && was.incarnation != is.incarnation
}
