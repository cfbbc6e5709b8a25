//! Why nobody owns a shard, in words.

use super::Surveyor;
use crate::ids::{Life, ShardId};
use crate::record::{Holding, MemberRecord, MemberState};
use crate::roster::Entry;

/// Why `shard`, whose owner has ended or never was, has none; and what comes next.
pub(super) fn unowned(surveyor: &Surveyor<'_>, shard: ShardId, holding: &Holding) -> String {
    let past = holding.owner.as_ref().map_or_else(|| "never owned".into(), |owner| ended(surveyor, owner));
    let heir = holding.heir.as_ref().filter(|heir| !(surveyor.ended)(&heir.life, shard, heir.epoch));
    match heir {
        Some(heir) => format!("{past}; {} takes over", heir.life.id()),
        None => format!("{past}; {}", outlook(surveyor, shard)),
    }
}

fn ended(surveyor: &Surveyor<'_>, owner: &Life) -> String {
    let id = owner.id();
    let record = surveyor.roster.entry(id).and_then(Entry::readable);
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
fn outlook(surveyor: &Surveyor<'_>, shard: ShardId) -> &'static str {
    let mut active = active(surveyor).peekable();
    if active.peek().is_none() {
        return "no member is active";
    }
    if active.all(|record| record.avoids.contains(&shard)) {
        return "every active member has failed with it";
    }
    "about to be given out"
}

fn active<'a>(surveyor: &'a Surveyor<'_>) -> impl Iterator<Item = &'a MemberRecord> {
    surveyor.roster.entries().filter_map(move |(_, entry)| {
        let record = entry.readable()?;
        let counts = record.state == MemberState::Active && !record.drained;
        (counts && !surveyor.is_silent(entry, record)).then_some(record)
    })
}
