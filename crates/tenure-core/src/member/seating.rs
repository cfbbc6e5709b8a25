//! Acting: which shards the ledger gives us, with which evidence, and how they are let go (W1–W3).

use super::machine::Machine;
use super::{Action, Config, Grant, Notice, Outcome};
use crate::flaw::Flaw;
use crate::guard::Seat;
use crate::ids::{Epoch, Life, ShardId};
use crate::moment::Moment;
use crate::record::{Failing, Heir, Holding};
use crate::shard::{Tenancy, Verdict};

impl Machine {
    /// Takes every seat that the ledger gives us and lets go what is promised to others, if anything was learnt.
    pub(super) fn take_seats(&mut self, now: Moment, out: &mut Vec<Action>) {
        let Some(life) = self.keeper.life().cloned() else { return };
        let known = self.known(None);
        if self.seated == Some(known) {
            return;
        }
        self.seated = Some(known);
        self.stop_overruled(now, &life, out);
        for (shard, holding) in self.concerning(&life) {
            self.take_seat(now, &life, shard, &holding, out);
        }
        self.hurry_looks();
    }

    /// The holdings that name us, as owner or heir.
    pub(super) fn concerning(&self, life: &Life) -> Vec<(ShardId, Holding)> {
        let Some(book) = &self.book else { return Vec::new() };
        let mut ours = Vec::new();
        for (number, leaf) in (0..).zip(book.leaves()) {
            let holdings = leaf.page.iter().flat_map(|page| page.holdings.iter().enumerate());
            let named =
                holdings.filter(|(_, holding)| self.owns(life, holding) || self.inherits(life, holding));
            ours.extend(named.map(|(index, holding)| (book.shard(number, index), holding.clone())));
        }
        ours
    }

    pub(super) fn owns(&self, life: &Life, holding: &Holding) -> bool {
        let by_id = self.config.flaws.has(Flaw::OwnershipById);
        holding.owner.as_ref().is_some_and(|owner| owner == life || by_id && owner.id() == life.id())
    }

    pub(super) fn inherits(&self, life: &Life, holding: &Holding) -> bool {
        let by_id = self.config.flaws.has(Flaw::GrantById);
        holding.heir.as_ref().is_some_and(|heir| heir.life == *life || by_id && heir.life.id() == life.id())
    }

    fn take_seat(
        &mut self,
        now: Moment,
        life: &Life,
        shard: ShardId,
        holding: &Holding,
        out: &mut Vec<Action>,
    ) {
        if self.owns(life, holding) {
            self.own(now, shard, holding, out);
        } else if let Some(heir) = &holding.heir {
            self.inherit(now, shard, heir, holding, out);
        }
    }

    fn own(&mut self, now: Moment, shard: ShardId, holding: &Holding, out: &mut Vec<Action>) {
        if !self.sit(shard, holding.epoch, out) {
            return;
        }
        let heir = holding.heir.clone().filter(|heir| !self.has_ended(now, &heir.life, shard, heir.epoch));
        let until = now + self.config.timing.drain_limit;
        let alone = self.leaving.as_ref().is_some_and(|leaving| leaving.alone);
        let Some(tenancy) = self.tenancies.get_mut(&shard) else { return };
        tenancy.act(now, out);
        let verdict = match heir {
            Some(heir) => tenancy.drain(Some(heir), until, out),
            None if alone || self.config.flaws.has(Flaw::NeverResumes) => Verdict::Stays,
            None => {
                tenancy.resume(now, out);
                Verdict::Stays
            }
        };
        self.hasten(shard, out);
        self.judge(now, shard, verdict, out);
    }

    fn inherit(
        &mut self,
        now: Moment,
        shard: ShardId,
        heir: &Heir,
        holding: &Holding,
        out: &mut Vec<Action>,
    ) {
        let begun = self.tenancies.get(&shard).is_some_and(|tenancy| !tenancy.is_warming());
        if self.leaving.is_some() && !begun && !self.config.flaws.has(Flaw::HeirDoesNotDecline) {
            return self.decline(now, shard, heir.epoch, out);
        }
        if !self.sit(shard, heir.epoch, out) {
            return;
        }
        let hasty = self.config.flaws.has(Flaw::HeirActsWithoutEvidence);
        let evidence =
            hasty || self.owner_ended(now, shard, holding) || self.is_granted(shard, heir, holding);
        if let Some(tenancy) = self.tenancies.get_mut(&shard).filter(|_| evidence) {
            tenancy.act(now, out);
        }
    }

    /// Makes sure that the shard has a tenancy at `epoch`; false if that epoch is over, or another one is not yet.
    fn sit(&mut self, shard: ShardId, epoch: Epoch, out: &mut Vec<Action>) -> bool {
        if self.released.get(&shard).is_some_and(|released| *released >= epoch) {
            return false;
        }
        let lease = self.keeper.lease().clone();
        let tenancy =
            self.tenancies.entry(shard).or_insert_with(|| Tenancy::warm(Seat::new(shard, epoch, lease), out));
        tenancy.seat().epoch() == epoch
    }

    /// An heir that leaves before it began gives its epoch back.
    pub(super) fn decline(&mut self, now: Moment, shard: ShardId, epoch: Epoch, out: &mut Vec<Action>) {
        if self.released.get(&shard).is_some_and(|released| *released >= epoch) {
            return;
        }
        if let Some(mut tenancy) = self.tenancies.remove(&shard) {
            tenancy.interrupt(now, out);
        }
        self.note_release(shard, epoch);
    }

    pub(super) fn owner_ended(&self, now: Moment, shard: ShardId, holding: &Holding) -> bool {
        holding.owner.as_ref().is_none_or(|owner| self.has_ended(now, owner, shard, holding.epoch))
    }

    /// Whether an epoch of a shard is known to have ended.
    pub(super) fn has_ended(&self, now: Moment, life: &Life, shard: ShardId, epoch: Epoch) -> bool {
        if self.keeper.life() == Some(life) {
            let acting = self.tenancies.get(&shard).is_some_and(|tenancy| tenancy.seat().epoch() == epoch);
            let known = !self.config.flaws.has(Flaw::ReleasedNeverWritten);
            return known && !acting && self.released.get(&shard).is_some_and(|released| *released >= epoch);
        }
        self.roster.has_ended(now, life, shard, epoch)
    }

    pub(super) fn granted(&mut self, grant: Grant) {
        self.grants.insert(grant.shard, grant);
        self.seated = None;
    }

    /// A grant counts for exactly the lineage, lives and epochs that it names.
    fn is_granted(&self, shard: ShardId, heir: &Heir, holding: &Holding) -> bool {
        let (Some(grant), Some(book), Some(owner)) = (self.grants.get(&shard), &self.book, &holding.owner)
        else {
            return false;
        };
        let (by_id, any_epoch) =
            (self.config.flaws.has(Flaw::GrantById), self.config.flaws.has(Flaw::GrantAnyEpoch));
        let same = |a: &Life, b: &Life| a == b || by_id && a.id() == b.id();
        let epochs = grant.owner_epoch == holding.epoch && grant.heir_epoch == heir.epoch;
        grant.lineage == book.meta().lineage
            && same(&grant.owner, owner)
            && same(&grant.heir, &heir.life)
            && (epochs || any_epoch)
    }

    pub(super) fn work_ended(
        &mut self,
        now: Moment,
        shard: ShardId,
        epoch: Epoch,
        outcome: Outcome,
        out: &mut Vec<Action>,
    ) {
        let mut restart = self.config.restart.clone();
        if !self.planning.has_taker(&self.config.id, shard) {
            restart.hand_on_after = 0;
        }
        let Some(tenancy) = self.tenancies.get_mut(&shard).filter(|tenancy| tenancy.seat().epoch() == epoch)
        else {
            return;
        };
        let verdict = tenancy.ended(now, outcome, &restart, self.config.flaws, out);
        self.judge(now, shard, verdict, out);
        self.say_failing(now, shard);
    }

    pub(super) fn advance_work(&mut self, now: Moment, out: &mut Vec<Action>) {
        let (timing, restart) = (&self.config.timing, &self.config.restart);
        let due = |tenancy: &Tenancy| tenancy.deadline(timing, restart).is_some_and(|at| now >= at);
        let shards: Vec<ShardId> =
            self.tenancies.iter().filter(|(_, t)| due(t)).map(|(shard, _)| *shard).collect();
        for shard in shards {
            if let Some(tenancy) = self.tenancies.get_mut(&shard) {
                let Config { timing, on_stuck, restart, .. } = &self.config;
                let verdict = tenancy.advance(now, timing, *on_stuck, restart, out);
                self.judge(now, shard, verdict, out);
            }
            self.say_stuck(shard);
            self.say_failing(now, shard);
        }
    }

    /// Whoever looks at the cluster is told which shards are owned to no avail. Without hurry: work may fail often.
    fn say_failing(&mut self, now: Moment, shard: ShardId) {
        let failing = self.tenancies.get(&shard).and_then(|tenancy| {
            let (failures, error) = tenancy.failures();
            let retry_at_ms = tenancy.retry_at().zip(self.wall_ms);
            let retry_at_ms = retry_at_ms.map(|(at, wall_ms)| wall_ms + at.since(now).as_millis() as u64);
            Some(Failing { shard, failures, error: error?.to_owned(), retry_at_ms }.told())
        });
        if self.keeper.said().failing.get(&shard) != failing.as_ref() {
            self.keeper.say_later(|said| match failing {
                Some(failing) => drop(said.failing.insert(shard, failing)),
                None => drop(said.failing.remove(&shard)),
            });
        }
    }

    fn say_stuck(&mut self, shard: ShardId) {
        if self.tenancies.get(&shard).is_some_and(Tenancy::is_stuck) {
            self.keeper.say(|said| said.stuck.insert(shard));
        }
    }

    /// Interrupts all work; what has none is over at once.
    pub(super) fn interrupt_all(&mut self, now: Moment, out: &mut Vec<Action>) {
        let shards: Vec<ShardId> = self.tenancies.keys().copied().collect();
        for shard in shards {
            if let Some(tenancy) = self.tenancies.get_mut(&shard) {
                let verdict = tenancy.interrupt(now, out);
                self.judge(now, shard, verdict, out);
            }
        }
    }

    pub(super) fn judge(&mut self, now: Moment, shard: ShardId, verdict: Verdict, out: &mut Vec<Action>) {
        match verdict {
            Verdict::Stays => {}
            Verdict::Over => self.release(shard, out),
            Verdict::HandOn => {
                self.avoid(now, shard);
                out.push(Action::Notice(Notice::HandedOn(shard)));
                self.release(shard, out);
            }
        }
    }

    /// A shard that could not be started here is offered to the others.
    fn avoid(&mut self, now: Moment, shard: ShardId) {
        self.planning.avoid(now, shard);
        self.keeper.say(|said| said.avoids.insert(shard));
    }

    /// All work of a tenancy has ended and its guard is closed for ever: say so, to the heir first.
    fn release(&mut self, shard: ShardId, out: &mut Vec<Action>) {
        let Some(tenancy) = self.tenancies.remove(&shard) else { return };
        tenancy.close();
        self.keeper.say_later(|said| {
            said.stuck.remove(&shard);
            said.failing.remove(&shard);
        });
        if self.keeper.life().is_none() {
            // The life is over; whoever closes it ends all its epochs at once.
            return;
        }
        self.grant(&tenancy, out);
        self.note_release(shard, tenancy.seat().epoch());
    }

    fn grant(&self, tenancy: &Tenancy, out: &mut Vec<Action>) {
        let (Some(owner), Some(heir), Some(book)) = (self.keeper.life(), tenancy.heir(), &self.book) else {
            return;
        };
        out.push(Action::Grant(Grant {
            lineage: book.meta().lineage,
            shard: tenancy.seat().shard(),
            owner: owner.clone(),
            owner_epoch: tenancy.seat().epoch(),
            heir: heir.life.clone(),
            heir_epoch: heir.epoch,
        }));
    }

    fn note_release(&mut self, shard: ShardId, epoch: Epoch) {
        self.releases += 1;
        if !self.config.flaws.has(Flaw::ReleaseNotRemembered) {
            let highest = self.released.entry(shard).or_insert(epoch);
            *highest = epoch.max(*highest);
        }
        if !self.config.flaws.has(Flaw::ReleasedNeverWritten) {
            self.keeper.say(|said| said.released.entry(shard).or_default().insert(epoch));
        }
    }

    /// The seeded bugs M26 and X1: the heir is told, or the release written, while the work goes on.
    fn hasten(&mut self, shard: ShardId, out: &mut Vec<Action>) {
        let Some(tenancy) = self.tenancies.get(&shard).filter(|tenancy| tenancy.heir().is_some()) else {
            return;
        };
        if self.config.flaws.has(Flaw::GrantBeforeClose) {
            self.grant(tenancy, out);
        }
        if self.config.flaws.has(Flaw::ReleaseWhileWorking) {
            let epoch = tenancy.seat().epoch();
            self.keeper.say(|said| said.released.entry(shard).or_default().insert(epoch));
        }
    }

    /// G1: a release leaves the record once the page has moved on; our own memory of it stays.
    pub(super) fn forget_released(&mut self) {
        let Some(book) = &self.book else { return };
        let early = self.config.flaws.has(Flaw::ReleaseForgottenEarly) && self.keeper.is_settled();
        let heirs_count = !self.config.flaws.has(Flaw::HeirReleaseForgotten);
        let over = |shard: ShardId, epoch: Epoch| {
            book.holding(shard).is_some_and(|holding| moved_on(holding, epoch, heirs_count))
        };
        let done: Vec<(ShardId, Epoch)> =
            self.keeper.said().released().filter(|(s, e)| early || over(*s, *e)).collect();
        if done.is_empty() {
            return;
        }
        if early {
            self.released.clear();
        }
        self.keeper.forget_released(&done);
    }
}

fn moved_on(holding: &Holding, epoch: Epoch, heirs_count: bool) -> bool {
    let heir_at = holding.heir.as_ref().filter(|_| heirs_count).map(|heir| heir.epoch);
    holding.top >= epoch && holding.epoch != epoch && heir_at != Some(epoch)
}
