//! Why nobody owns a shard, in words.

use super::Surveyor;
use crate::ids::{Epoch, Life, ShardId};
use crate::record::{Holding, MemberRecord, MemberState};
use crate::roster::SeenRecord;

/// Why `shard`, whose owner has ended or never was, has none; and what comes next.
pub(super) fn unowned(
    surveyor: &Surveyor<'_>,
    active: &[&MemberRecord],
    shard: ShardId,
    holding: &Holding,
) -> String {
    let past = holding.owner.as_ref().map_or_else(|| ownerless(holding), |owner| ended(surveyor, owner));
    let heir = holding.heir.as_ref().filter(|heir| !(surveyor.ended)(&heir.life, shard, heir.epoch));
    match heir {
        Some(heir) => format!("{past}; {} takes over", heir.life.id()),
        None => format!("{past}; {}", outlook(active, shard)),
    }
}

/// A holding loses its owner's name in one way alone: the cluster was recovered.
fn ownerless(holding: &Holding) -> String {
    if holding.top == Epoch(0) { "never owned".into() } else { "the cluster was recovered".into() }
}

fn ended(surveyor: &Surveyor<'_>, owner: &Life) -> String {
    let id = owner.id();
    let record = surveyor.roster.entry(id).and_then(SeenRecord::readable);
    let Some(record) = record.filter(|record| record.line == owner.incarnation().line) else {
        return format!("{id} is lost");
    };
    match record.state {
        _ if record.incarnation() != owner.incarnation() => format!("{id} began anew"),
        MemberState::Gone => match &record.by {
            Some(by) => format!("{id} is dead, as {by} has proof"),
            None => format!("{id} left"),
        },
        MemberState::Deposed => match &record.by {
            Some(by) => format!("{id} was silent, and {by} deposed it"),
            None => format!("{id} was deposed"),
        },
        MemberState::Active | MemberState::Leaving => format!("{id} gave it up"),
    }
}

/// Whether somebody will take it.
fn outlook(active: &[&MemberRecord], shard: ShardId) -> &'static str {
    if active.is_empty() {
        return "no member is active";
    }
    if active.iter().all(|record| record.avoids.binary_search(&shard).is_ok()) {
        return "every active member has failed with it";
    }
    "about to be given out"
}

/// Who can be given shards. Found once for all of them: there may be many of both.
pub(super) fn active<'a>(surveyor: &Surveyor<'a>) -> Vec<&'a MemberRecord> {
    let roster = surveyor.roster;
    let readable = roster.entries().filter_map(|(_, entry)| entry.readable().map(|record| (entry, record)));
    let counts = |entry: &SeenRecord, record: &MemberRecord| {
        record.state == MemberState::Active && !record.drained && !surveyor.is_silent(entry, record)
    };
    readable.filter(|(entry, record)| counts(entry, record)).map(|(_, record)| record).collect()
}
