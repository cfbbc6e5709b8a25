//! What a member owes to those who count on it: as one who joins again, who gave something back, who owns what an heir waits for.

use bytes::Bytes;
use tenure_core::ids::MemberId;
use tenure_core::record::{Holding, Key, MemberRecord};

use super::{MachineSim, Work};
use crate::clock::Nanos;
use crate::promises::earlier_ended;
use crate::promises::settles::duties;
use crate::store::contains;
use crate::surroundings::ProcessNo;

impl MachineSim<'_> {
    /// A process sends its own record: may it, and does the record say what it must of the epochs that ended here?
    pub(crate) fn watch_own(&mut self, no: ProcessNo, id: &MemberId, value: &Bytes) {
        if contains(value, b"\"active\"") {
            self.reprove(duties::joins_again(&self.procs[no]));
        }
        let truth = &self.around.truth;
        let proc = &mut self.procs[no];
        proc.conduct.resigned.retain(|(shard, epoch)| truth.names(*shard, *epoch));
        if proc.conduct.resigned.is_empty() && !contains(value, b"\"released\"") {
            return;
        }
        let Ok(record) = MemberRecord::decode(id, value, self.around.shape.ttl_max) else { return };
        if !self.is_of_present_life(no, &record) {
            return;
        }
        for (shard, epoch) in record.released.iter() {
            self.judge(earlier_ended::said_ended(self.around.now, &self.procs[no], shard, epoch));
        }
        self.reprove(duties::stays_said(&self.around.truth, &self.procs[no], &record));
    }

    fn is_of_present_life(&self, no: ProcessNo, record: &MemberRecord) -> bool {
        let proc = &self.procs[no];
        let life = proc.life.map(|life| self.around.truth.lives[life].life.incarnation());
        life == Some(record.incarnation()) && record.process == proc.process
    }

    /// A process was told how all members were at `asked`: does it go on where its heir has ended?
    pub(crate) fn watch_going_on(&mut self, no: ProcessNo, asked: Nanos) {
        let proc = &self.procs[no];
        if proc.leaving || !proc.works.iter().any(Work::is_draining) {
            return;
        }
        let verdict = proc.works.iter().try_for_each(|work| match self.known_holding(no, work) {
            Some(holding) => duties::drains_for_somebody(self.scene(), proc, work, holding, asked),
            None => Ok(()),
        });
        self.reprove(verdict);
    }

    /// The holding of a piece of work, if its process has read the page as it is now, and is its owner. None while the heir's
    /// record can't be understood: nothing is concluded from that.
    fn known_holding(&self, no: ProcessNo, work: &Work) -> Option<&Holding> {
        let number = work.seat.shard().0 / self.around.truth.meta.as_ref()?.page_size;
        let present = self.around.store.get(&Key::Page(number))?;
        self.procs[no].conduct.had_at(number, &present.version)?;
        let holding =
            self.around.truth.holding(work.seat.shard()).filter(|it| it.epoch == work.seat.epoch())?;
        let heir = holding.heir.as_ref().map(|heir| Key::Member(heir.life.id().clone()));
        let clear = !self.around.spoiled.contains(&Key::Page(number));
        (clear && heir.is_none_or(|key| !self.around.spoiled.contains(&key))).then_some(holding)
    }
}
