//! The machine's snapshot.

use super::machine::Machine;
use super::{LifeState, Me, Snapshot, WorkView};
use crate::ids::ShardId;
use crate::moment::Moment;
use crate::survey::{Survey, Surveyor};

impl Machine {
    /// Everything that this member knows.
    pub fn snapshot(&self, now: Moment) -> Snapshot {
        let Survey { shards, members, holdings, unowned, problems } = self.survey(now);
        let seen_ago_ms = self.look.seen_whole.map(|seen| now.since(seen).as_millis() as u64);
        let (me, work) = (self.me(now), self.work());
        Snapshot { shards, me, members, holdings, unowned, work, problems, seen_ago_ms }
    }

    /// Changes whenever something was learnt of members that others may act on.
    pub fn members_revision(&self) -> u64 {
        self.roster.revision()
    }

    fn survey(&self, now: Moment) -> Survey {
        let ends = self.ends(now);
        let surveyor = Surveyor {
            book: self.book.as_ref(),
            roster: &self.roster,
            timing: &self.config.timing,
            ended: &|life, shard, epoch| ends.has_ended(life, shard, epoch),
            age: &|entry| now.since(entry.shown_since()),
        };
        surveyor.survey()
    }

    fn me(&self, now: Moment) -> Me {
        Me {
            id: self.config.id.clone(),
            incarnation: self.keeper.life().map(|life| life.incarnation()),
            state: self.state(),
            valid_for_ms: self.keeper.lease().valid_until().since(now).as_millis() as u64,
            renewal_failures: self.keeper.streak(),
        }
    }

    fn state(&self) -> LifeState {
        match () {
            () if self.ended => LifeState::Ended,
            () if self.leaving.is_some() => LifeState::Leaving,
            () if self.keeper.life().is_some() => LifeState::Active,
            () if self.keeper.is_waiting() => LifeState::Waiting,
            () if self.keeper.is_joining() => LifeState::Joining,
            () if self.health.has_lapsed() => LifeState::Lapsed,
            () => LifeState::Starting,
        }
    }

    fn work(&self) -> Vec<WorkView> {
        let view = |(shard, tenancy): (ShardId, &crate::shard::Tenancy)| {
            let (failures, error) = tenancy.failures();
            let epoch = tenancy.seat().epoch();
            WorkView { shard, epoch, state: tenancy.state(), failures, error: error.map(Into::into) }
        };
        self.seats.tenancies().map(view).collect()
    }
}
