//! What a member may send, and when: every write is judged before it is on its way.

use bytes::Bytes;
use tenure_core::ids::{Life, MemberId, ShardId};
use tenure_core::member::{Request, When};
use tenure_core::plan::Candidate;
use tenure_core::record::{Holding, Key, LedgerPage, MemberRecord, MemberState, Why};

use super::World;
use super::driver::member_id;
use super::network::contains;
use super::queue::ProcessNo;
use crate::clock::Nanos;
use crate::invariant::i6::fitness::{self, Chosen};
use crate::invariant::i6::turns::{self, Sent};
use crate::invariant::i6::watching;
use crate::invariant::i6::worth::Division;
use crate::invariant::{i3, i5};
use crate::oracle::Verdict;

impl World<'_> {
    /// A process sends a write: may it say that?
    pub(crate) fn watch_sent(&mut self, no: ProcessNo, request: &Request) {
        let Request::Put { key, value, when } = request else { return };
        match key {
            Key::Page(number) if self.procs[no].found => {
                self.judge(i5::plans(self.scene(), no));
                self.watch_plan(no, *number, value, when);
            }
            Key::Member(id) if contains(value, b"\"deposed\"") => self.watch_deposing(no, id, value),
            Key::Member(id) if contains(value, b"\"released\"") => {
                let Some(meta) = &self.truth.meta else { return };
                let decoded = MemberRecord::decode(id, value, meta.ttl_max());
                let Ok(record) = decoded else { return };
                let mine = self.procs[no].life.is_some_and(|life| {
                    self.truth.lives[life].life.incarnation() == record.incarnation()
                        && record.process == self.procs[no].process
                });
                for (shards, epoch) in record.released.runs().filter(|_| mine) {
                    for shard in shards.map(ShardId) {
                        self.judge(i3::said_ended(self.now, &self.procs[no], shard, epoch));
                    }
                }
            }
            Key::Meta | Key::Member(_) | Key::Page(_) => {}
        }
    }

    /// A member sends a page: did it wait for its turn, read what it had to, and choose well?
    fn watch_plan(&mut self, no: ProcessNo, number: u32, value: &Bytes, when: &When) {
        let (Some(meta), When::Is(version)) = (&self.truth.meta, when) else { return };
        let Some(Some(old)) = self.truth.pages.get(number as usize) else { return };
        let Ok(new) = LedgerPage::decode(number, value, meta) else { return };
        // Whoever writes over an older page than the present one loses the race; what it saw is not known here.
        if new.generation != old.generation + 1 {
            return;
        }
        let member = self.procs[no].member;
        let (id, timing) = (member_id(member), &self.shape.timing[member]);
        let first = number * meta.page_size;
        let sent = Sent { by: no, id: &id, timing, number, first, old, version, new: &new };
        let verdict = turns::sent(self.scene(), &sent);
        let verdict = verdict.and_then(|()| self.is_worth_it(no, old, &new));
        let verdict = verdict.and_then(|()| self.chose_well(no, old, &new));
        self.reprove(verdict);
    }

    /// C4, where it is certain what the author counts: the whole ledger is one page (of several, it may have read others
    /// than there are now), names the present lives alone, and the members were read as they are.
    fn is_worth_it(&self, no: ProcessNo, old: &LedgerPage, new: &LedgerPage) -> Verdict {
        let evens_out = self.shape.placement.places().evens_out();
        let read = self.procs[no].conduct.listing_asked >= self.truthful_since();
        let certain = self.truth.pages.len() == 1 && read && self.names_present_lives(old);
        match new.why.as_ref().filter(|why| evens_out && certain && is_balance(why)) {
            Some(why) => {
                let candidates: Vec<Candidate> = why.view.iter().map(|id| self.candidate(id)).collect();
                let spread_zones = self.shape.spread_zones;
                Division { candidates: &candidates, spread_zones }.moves(old, new)
            }
            None => Ok(()),
        }
    }

    fn names_present_lives(&self, page: &LedgerPage) -> bool {
        let heir = |holding: &Holding| holding.heir.as_ref().map(|heir| heir.life.clone());
        let mut named =
            page.holdings.iter().flat_map(|holding| holding.owner.clone().into_iter().chain(heir(holding)));
        named.all(|life| self.truth.is_present(&life))
    }

    fn candidate(&self, id: &MemberId) -> Candidate {
        let member = (0..self.shape.members).find(|member| member_id(*member) == *id);
        let weight = member.map_or(1, |member| self.shape.weight[member]);
        let zone = member.and_then(|member| self.zone(member));
        Candidate { weight, zone, ..Candidate::new(id.clone()) }
    }

    /// C6: whoever is given a shard stays, and was seen renewed of late.
    fn chose_well(&self, no: ProcessNo, old: &LedgerPage, new: &LedgerPage) -> Verdict {
        for (before, after) in old.holdings.iter().zip(&new.holdings) {
            let Some(life) = newly_named(before, after) else { continue };
            let Some(chosen) = self.chosen(no, life) else { continue };
            fitness::stays(self.scene(), &chosen)?;
            if life.id() != &member_id(self.procs[no].member) {
                fitness::is_fresh(self.scene(), &chosen)?;
            }
        }
        Ok(())
    }

    fn chosen<'a>(&self, by: ProcessNo, life: &'a Life) -> Option<Chosen<'a>> {
        let key = Key::Member(life.id().clone());
        let record =
            MemberRecord::decode(life.id(), &self.store.get(&key)?.value, self.shape.ttl_max).ok()?;
        let (renewed, ttl) = (self.store.written_at(&key)?, record.ttl());
        Some(Chosen { by, life, renewed, ttl, truthful_since: self.truthful_since() })
    }

    /// Since when listings have shown the truth.
    pub(crate) fn truthful_since(&self) -> Nanos {
        let from_the_start = self.weather.stale == 0;
        self.healing.begun_at().unwrap_or(if from_the_start { 0 } else { Nanos::MAX })
    }

    /// A member deposes another: has it watched for as long as it must?
    fn watch_deposing(&mut self, no: ProcessNo, id: &MemberId, value: &Bytes) {
        let Ok(record) = MemberRecord::decode(id, value, self.shape.ttl_max) else { return };
        if record.state == MemberState::Deposed {
            let silence = self.shape.timing[self.procs[no].member].silence(record.ttl());
            self.reprove(watching::deposes(self.scene(), no, id.as_str(), silence));
        }
    }
}

fn is_balance(why: &Why) -> bool {
    why.reason.starts_with("balance")
}

/// The life that a step gives the shard to, or promises it to. An heir that becomes owner was named before.
fn newly_named<'a>(before: &Holding, after: &'a Holding) -> Option<&'a Life> {
    let heir = after.heir.as_ref().filter(|heir| before.heir.as_ref() != Some(heir)).map(|heir| &heir.life);
    let inherited = before.heir.as_ref().is_some_and(|heir| heir.epoch == after.epoch);
    heir.or_else(|| after.owner.as_ref().filter(|_| after.epoch != before.epoch && !inherited))
}
