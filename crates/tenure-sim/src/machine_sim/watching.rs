//! What a member may send, and when: every write is judged before it is on its way.

use bytes::Bytes;
use tenure_core::ids::{Epoch, Life, MemberId, ShardId};
use tenure_core::message::{Request, When};
use tenure_core::plan::{Candidate, Placement};
use tenure_core::record::{Holding, Key, LedgerPage, MemberRecord, MemberState, Why};

use super::MachineSim;
use crate::promises::Verdict;
use crate::promises::lapsed_never_acts;
use crate::promises::settles::duties;
use crate::promises::settles::fitness::{self, Chosen};
use crate::promises::settles::turns::{self, Sent};
use crate::promises::settles::worth::Division;
use crate::store::contains;
use crate::surroundings::ProcessNo;
use crate::surroundings::member_id;

impl MachineSim<'_> {
    /// A process sends a write: may it say that?
    pub(crate) fn watch_sent(&mut self, no: ProcessNo, request: &Request) {
        let Request::Put { key, value, when } = request else { return };
        match key {
            Key::Page(number) if self.procs[no].found => {
                self.judge(lapsed_never_acts::plans(self.scene(), no));
                self.watch_plan(no, *number, value, when);
            }
            Key::Member(id) if contains(value, b"\"deposed\"") => self.watch_deposing(no, id, value),
            Key::Member(id) if *id == member_id(self.procs[no].member) => self.watch_own(no, id, value),
            Key::Meta | Key::Member(_) | Key::Page(_) => {}
        }
    }

    /// A member sends a page: did it wait for its turn, read what it had to, and choose well?
    fn watch_plan(&mut self, no: ProcessNo, number: u32, value: &Bytes, when: &When) {
        let (Some(meta), When::Is(version)) = (&self.around.truth.meta, when) else { return };
        let Some(Some(old)) = self.around.truth.pages.get(number as usize) else { return };
        let Ok(new) = LedgerPage::decode(number, value, meta) else { return };
        // Whoever writes over an older page than the present one loses the race; what it saw is not known here.
        if new.generation != old.generation + 1 {
            return;
        }
        let (id, timing) = (member_id(self.procs[no].member), &self.procs[no].timing);
        let first = number * meta.page_size;
        let sent = Sent { by: no, id: &id, timing, number, first, old, version, new: &new };
        let verdict = turns::sent(self.scene(), &sent);
        let verdict = verdict.and_then(|()| self.is_worth_it(no, old, &new));
        let buried = self.buried_by(no, first, old, &new);
        let verdict = verdict.and_then(|()| self.chose_well(no, first, old, &new, &buried));
        self.reprove(verdict);
        self.procs[no].conduct.buried.extend(buried);
    }

    /// The lives that the author takes an epoch from which they have not given back: it must know that they are closed.
    fn buried_by(&self, no: ProcessNo, first: u32, old: &LedgerPage, new: &LedgerPage) -> Vec<Life> {
        let own = self.procs[no].life.map(|life| &self.around.truth.lives[life].life);
        let given_back = |shard, epoch| {
            self.around.truth.given(shard, epoch).is_none_or(|given| given.released || given.resigned)
        };
        let mut buried = Vec::new();
        for (shard, (before, after)) in (first..).map(ShardId).zip(old.holdings.iter().zip(&new.holdings)) {
            let owner = before.owner.iter().filter(|_| after.epoch != before.epoch);
            let ended = owner.map(|life| (life, before.epoch)).chain(heir_replaced(before, after));
            let ended = ended.filter(|(life, epoch)| Some(*life) != own && !given_back(shard, *epoch));
            buried.extend(ended.map(|(life, _)| life.clone()));
        }
        buried
    }

    /// C4, where it is certain what the author counts: the whole ledger is one page (of several, it may have read others
    /// than there are now), names the present lives alone, and the members were read as they are.
    fn is_worth_it(&self, no: ProcessNo, old: &LedgerPage, new: &LedgerPage) -> Verdict {
        let evens_out = self.around.shape.placement.places().evens_out();
        let read = self.procs[no].conduct.listing_asked >= self.around.truthful_since();
        let certain = self.around.truth.pages.len() == 1 && read && self.names_present_lives(old);
        let asked = self.procs[no].conduct.listing_asked;
        let known = |why: &&Why| {
            why.view.iter().all(|id| self.around.truth.latest_born(id).is_some_and(|at| at < asked))
        };
        match new.why.as_ref().filter(|why| evens_out && certain && is_balance(why)).filter(known) {
            Some(why) => {
                let candidates: Option<Vec<Candidate>> =
                    why.view.iter().map(|id| self.candidate(id)).collect();
                let Some(candidates) = candidates else { return Ok(()) };
                let spread_zones = self.around.shape.spread_zones;
                Division { candidates: &candidates, spread_zones }.moves(old, new)
            }
            None => Ok(()),
        }
    }

    fn names_present_lives(&self, page: &LedgerPage) -> bool {
        let heir = |holding: &Holding| holding.heir.as_ref().map(|heir| heir.life.clone());
        let mut named =
            page.holdings.iter().flat_map(|holding| holding.owner.clone().into_iter().chain(heir(holding)));
        named.all(|life| self.around.truth.is_present(&life))
    }

    fn candidate(&self, id: &MemberId) -> Option<Candidate> {
        let record = self.around.record(id)?;
        Some(Candidate { weight: record.weight, zone: record.zone, ..Candidate::new(id.clone()) })
    }

    /// C6: whoever is given a shard stays, and was seen renewed of late.
    fn chose_well(
        &self,
        no: ProcessNo,
        first: u32,
        old: &LedgerPage,
        new: &LedgerPage,
        buried: &[Life],
    ) -> Verdict {
        for (shard, (before, after)) in (first..).map(ShardId).zip(old.holdings.iter().zip(&new.holdings)) {
            let Some(life) = newly_named(before, after) else { continue };
            fitness::is_not_closed(self.scene(), no, life, buried)?;
            let Some(chosen) = self.chosen(no, life) else { continue };
            fitness::stays(self.scene(), &chosen)?;
            if life.id() != &member_id(self.procs[no].member) {
                fitness::is_fresh(self.scene(), &chosen)?;
                let own = member_id(self.procs[no].member);
                let counts_itself = new.why.as_ref().is_some_and(|why| why.view.contains(&own));
                let passes_over = counts_itself && self.passes_over(no, life.id(), shard);
                fitness::can_start(self.scene(), &chosen, shard, passes_over)?;
            }
        }
        Ok(())
    }

    /// Whether the author could serve a shard itself, and has read that `id` could not start it. Where somebody else decides who
    /// owns what, that counts for more.
    fn passes_over(&self, no: ProcessNo, id: &MemberId, shard: ShardId) -> bool {
        let own = member_id(self.procs[no].member);
        let asked = self.procs[no].conduct.listing_asked;
        let avoids = |id: &MemberId, then: Option<MemberRecord>| {
            let now = self.around.record(id);
            [now, then].map(|record| record.map(|record| record.avoids.contains(&shard)))
        };
        let fit = |record: &MemberRecord| record.state == MemberState::Active && !record.drained;
        let places =
            self.around.shape.placement != Placement::External && asked >= self.around.truthful_since();
        places
            && self.around.record(&own).as_ref().is_some_and(fit)
            && avoids(id, self.around.record_as_of(id, asked)) == [Some(true); 2]
            && avoids(&own, self.around.record_as_of(&own, asked)) == [Some(false); 2]
    }

    /// None where the record went back: whoever saw it as it was before passes over what it says now.
    fn chosen<'a>(&self, by: ProcessNo, life: &'a Life) -> Option<Chosen<'a>> {
        let key = Key::Member(life.id().clone());
        let renewed =
            self.around.store.written_at(&key).filter(|_| !self.around.rewound.contains_key(&key))?;
        let ttl = self.around.record(life.id())?.ttl();
        Some(Chosen { by, life, renewed, ttl, truthful_since: self.around.truthful_since() })
    }

    /// A member deposes another: has it watched for as long as it must?
    fn watch_deposing(&mut self, no: ProcessNo, id: &MemberId, value: &Bytes) {
        let Ok(record) = MemberRecord::decode(id, value, self.around.shape.ttl_max) else { return };
        // Whoever saw the record as it was before it went back can't see any more whether it changes, nor close it.
        let rewound = self.around.rewound.contains_key(&Key::Member(id.clone()));
        if record.state == MemberState::Deposed && !rewound {
            let silence = self.procs[no].timing.silence(record.ttl());
            self.reprove(duties::deposes(self.scene(), no, id.as_str(), silence));
        }
    }
}

fn is_balance(why: &Why) -> bool {
    why.reason.starts_with("balance")
}

/// The heir that a step replaces, and its epoch. One that becomes owner is not replaced.
fn heir_replaced<'a>(before: &'a Holding, after: &Holding) -> Option<(&'a Life, Epoch)> {
    let heir = before.heir.as_ref().filter(|heir| after.heir.as_ref() != Some(heir))?;
    let owns = after.epoch == heir.epoch && after.owner.as_ref() == Some(&heir.life);
    (!owns).then_some((&heir.life, heir.epoch))
}

/// The life that a step gives the shard to, or promises it to. An heir that becomes owner was named before.
fn newly_named<'a>(before: &Holding, after: &'a Holding) -> Option<&'a Life> {
    let heir = after.heir.as_ref().filter(|heir| before.heir.as_ref() != Some(heir)).map(|heir| &heir.life);
    let succeeded = before.heir.as_ref().is_some_and(|heir| heir.epoch == after.epoch);
    heir.or_else(|| after.owner.as_ref().filter(|_| after.epoch != before.epoch && !succeeded))
}
