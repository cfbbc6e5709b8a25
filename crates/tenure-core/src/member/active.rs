//! Whom a member counts on: active, neither silent nor lost nor proven dead.

use super::knowledge::Ends;
use crate::ids::{Life, MemberId, ShardId};
use crate::plan::Candidate;
use crate::record::MemberRecord;

/// A member that may be given shards.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Active {
    pub life: Life,
    pub candidate: Candidate,
}

impl Active {
    fn new(id: &MemberId, record: &MemberRecord) -> Self {
        let candidate = Candidate {
            id: id.clone(),
            weight: record.weight.max(1),
            zone: record.zone.clone(),
            wants: record.wants.clone(),
            avoids: record.avoids.clone(),
        };
        Self { life: record.life(id), candidate }
    }

    /// Whether it would try a shard.
    pub(super) fn is_willing(&self, shard: ShardId) -> bool {
        self.candidate.avoids.binary_search(&shard).is_err()
    }
}

/// All whom a member counts on.
pub(super) fn active(ends: &Ends<'_>) -> Vec<Active> {
    let entries = ends.roster.entries();
    let readable = entries.filter_map(|(id, entry)| entry.readable().map(|record| (id, record)));
    readable
        .filter(|(id, record)| counts(ends, id, record))
        .map(|(id, record)| Active::new(id, record))
        .collect()
}

fn counts(ends: &Ends<'_>, id: &MemberId, record: &MemberRecord) -> bool {
    let roster = ends.roster;
    let lost = roster.is_lost(&record.life(id));
    let silent = roster.silent_at(id).is_some_and(|at| ends.now >= at);
    let ours =
        *id != ends.config.id || ends.life.is_some_and(|life| life.incarnation() == record.incarnation());
    let stays = ends.config.rules.may_be_given(record.state, record.drained, lost);
    stays && !roster.is_dead(id) && !silent && ours
}
