//! A write lands: what only those who see into the processes can judge, and who is told of it.

use tenure_core::ids::{Epoch, ShardId};
use tenure_core::message::Event;
use tenure_core::record::{Heir, Key, LedgerPage, Version};

use super::queue::Happening;
use super::{MachineSim, Proc};
use crate::network::News;
use crate::promises::{closed_has_no_lease, earlier_ended};
use crate::store::{Landed, Made, Write};
use crate::surroundings::{Harness, ProcessNo, Surroundings};

impl<'a> Harness<'a> for MachineSim<'a> {
    fn around(&mut self) -> &mut Surroundings<'a> {
        &mut self.around
    }

    fn write(&mut self, by: Option<ProcessNo>, write: Write<'_>) -> Option<Version> {
        let key = write.key;
        let name = by.map(|no| self.procs[no].name.as_str());
        let Landed { version, made } = self.around.land(name, write)?;
        match made {
            Made::Nothing => {}
            Made::Lives => self.judge(closed_has_no_lease::closed(self.scene())),
            Made::Page { number, first, old } => self.page_landed(by, number, first, &old),
        }
        self.hint(key);
        if self.around.is_to_undrain(key) {
            let at = self.around.now + self.around.shape.ttl() / 100;
            self.queue.put(at, Happening::Undrain);
        }
        Some(version)
    }

    fn acting(&self) -> Option<String> {
        let acts = |proc: &&Proc| {
            let local = proc.clock.read(self.around.now);
            proc.lives() && proc.seats().any(|seat| seat.holds(local))
        };
        self.procs.iter().find(acts).map(|proc| proc.name.clone())
    }
}

impl MachineSim<'_> {
    fn page_landed(&mut self, by: Option<ProcessNo>, number: u32, first: u32, old: &LedgerPage) {
        let Some(new) = &self.around.truth.pages[number as usize] else { return };
        let verdict = earlier_ended::page(self.scene(), by, first, old, new);
        let struck = self.declined(by, first, old, new);
        self.judge(verdict);
        let life = by.and_then(|no| self.procs[no].life);
        for (life, (shard, epoch)) in
            life.into_iter().flat_map(|life| struck.iter().map(move |it| (life, *it)))
        {
            self.around.truth.resigned(life, shard, epoch);
        }
    }

    /// An heir that gave an epoch back may strike itself out of the page before anybody else reads that it did: nothing but its own
    /// memory says so then.
    fn declined(
        &self,
        by: Option<ProcessNo>,
        first: u32,
        old: &LedgerPage,
        new: &LedgerPage,
    ) -> Vec<(ShardId, Epoch)> {
        let author = by.and_then(|no| Some((&self.procs[no], self.procs[no].life?)));
        let Some((author, life)) = author else { return Vec::new() };
        let own = |heir: &Heir| self.around.truth.lives[life].life == heir.life;
        (first..)
            .map(ShardId)
            .zip(old.holdings.iter().zip(&new.holdings))
            .filter(|(_, (before, after))| before.epoch == after.epoch && before.heir != after.heir)
            .filter_map(|(shard, (before, _))| {
                Some((shard, before.heir.as_ref().filter(|heir| own(heir))?.epoch))
            })
            .filter(|(shard, epoch)| author.has_ended(self.around.now, *shard, *epoch))
            .collect()
    }

    /// Tells everybody who runs that something changed, as far as hints get through.
    fn hint(&mut self, key: &Key) {
        if self.around.has_no_hints() {
            return;
        }
        for to in 0..self.procs.len() {
            if !self.procs[to].lives() {
                continue;
            }
            let Some(way) = self.around.hint_way() else { continue };
            let event = match self.around.news_of(key) {
                News::Changed => Event::Hint(Some(key.clone())),
                News::Told(id, record) => Event::Heard { id, record },
                News::Rumour(id, record) => Event::Rumour { id, record },
            };
            self.queue.put(self.around.now + way, Happening::Told { to, event: Box::new(event) });
        }
    }
}
