//! Acting: the shards that have work here, how they are taken, and how they are let go (W1–W4).

use std::collections::BTreeMap;

use super::claim::{Claim, Claims, Grants};
use super::knowledge::Known;
use super::releases::Releases;
use crate::config::Config;
use crate::guard::{Lease, Seat};
use crate::ids::{Epoch, Life, Lineage, ShardId};
use crate::lease::Word;
use crate::message::{Action, Grant, Notice, Outcome};
use crate::moment::Moment;
use crate::record::{Failing, Heir};
use crate::schedule::Schedule;
use crate::shard::{Tenancy, Verdict};

/// The shards that have work here.
#[derive(Debug, Default)]
pub(super) struct Seats {
    tenancies: BTreeMap<ShardId, Tenancy>,
    dues: Schedule<ShardId>,
    grants: Grants,
    /// How much was known when the seats were last taken.
    seated: Option<Known>,
}

/// What is true of the member while its seats change.
#[derive(Debug)]
pub(super) struct Ground<'a> {
    pub now: Moment,
    pub config: &'a Config,
    pub lease: &'a Lease,
    pub life: Option<&'a Life>,
    pub lineage: Option<Lineage>,
    /// Whether it is on its way out.
    pub leaving: bool,
    /// Whether nobody is there to take over.
    pub alone: bool,
    pub wall_ms: Option<u64>,
}

/// What follows when seats change: epochs that ended, words for the record, and actions.
#[derive(Debug)]
pub(super) struct Deeds<'a> {
    pub releases: &'a mut Releases,
    pub words: &'a mut Vec<Word>,
    pub out: &'a mut Vec<Action>,
}

impl Seats {
    pub(super) fn is_empty(&self) -> bool {
        self.tenancies.is_empty()
    }

    pub(super) fn tenancies(&self) -> impl Iterator<Item = (ShardId, &Tenancy)> {
        self.tenancies.iter().map(|(shard, tenancy)| (*shard, tenancy))
    }

    pub(super) fn grants(&self) -> &Grants {
        &self.grants
    }

    /// Whether a shard is promised to us: it may be without an owner until we see that the old one has let go.
    pub(super) fn awaits_a_shard(&self) -> bool {
        self.tenancies.values().any(Tenancy::is_warming)
    }

    pub(super) fn deadline(&self) -> Option<Moment> {
        self.dues.earliest()
    }

    /// A new life begins: what was granted to the former one counts no more.
    pub(super) fn begin(&mut self) {
        self.grants.clear();
        self.seated = None;
    }

    /// What the ledger says of us means something else now.
    pub(super) fn reconsider(&mut self) {
        self.seated = None;
    }

    /// Whether anything was learnt since the seats were last taken; from now on, nothing was.
    pub(super) fn learns(&mut self, known: Known) -> bool {
        self.seated.replace(known) != Some(known)
    }

    pub(super) fn granted(&mut self, grant: Grant) {
        self.grants.insert(grant.shard, grant);
        self.seated = None;
    }

    /// L4: every guard is false before anything else happens.
    pub(super) fn close_all(&self) {
        self.tenancies.values().for_each(Tenancy::close);
    }

    /// W4: the shards that we hold and the ledger does not give us. By the other rules there are none: an entry changes only after
    /// the life that it names has ended it (W2). But a store may forget, and somebody with the right to write may write what is not
    /// true. Then two may act, each with good reason; who reads that it was overruled stops, so that what would last for ever
    /// lasts for one look.
    pub(super) fn overruled(&self, claims: &Claims<'_>) -> Vec<(ShardId, Notice)> {
        let working = self.tenancies.iter().filter(|(_, tenancy)| !tenancy.is_ending());
        let found = working.filter_map(|(shard, tenancy)| {
            claims.overruled(*shard, tenancy.seat().epoch()).map(|notice| (*shard, notice))
        });
        found.collect()
    }

    /// Ends the work of shards that are not ours.
    pub(super) fn stop(&mut self, found: Vec<(ShardId, Notice)>, ground: &Ground<'_>, deeds: &mut Deeds<'_>) {
        for (shard, notice) in found {
            deeds.out.push(Action::Notice(notice));
            self.with(shard, ground, deeds, |tenancy, out| tenancy.interrupt(ground.now, out));
        }
    }

    /// Takes what the ledger gives us, and lets go what is promised to others.
    pub(super) fn take(&mut self, claims: Vec<(ShardId, Claim)>, ground: &Ground<'_>, deeds: &mut Deeds<'_>) {
        for (shard, claim) in claims {
            match claim {
                Claim::Owner { epoch, heir } => self.sit_as_owner(shard, epoch, heir, ground, deeds),
                Claim::Heir { epoch, ended } => self.sit_as_heir(shard, epoch, ended, ground, deeds),
            }
        }
    }

    fn sit_as_owner(
        &mut self,
        shard: ShardId,
        epoch: Epoch,
        heir: Option<Heir>,
        ground: &Ground<'_>,
        deeds: &mut Deeds<'_>,
    ) {
        if !self.sit(shard, epoch, ground, deeds) {
            return;
        }
        let Ground { now, config, .. } = *ground;
        self.with(shard, ground, deeds, |tenancy, out| {
            tenancy.act(now, out);
            match heir {
                Some(heir) => return tenancy.drain(Some(heir), now + config.timing.drain_limit, out),
                None if config.rules.resumes(ground.alone) => tenancy.resume(now, out),
                None => {}
            }
            Verdict::Stays
        });
        if let Some(tenancy) = self.tenancies.get(&shard).filter(|tenancy| tenancy.heir().is_some()) {
            tell_end(tenancy, false, ground, deeds);
        }
    }

    fn sit_as_heir(
        &mut self,
        shard: ShardId,
        epoch: Epoch,
        ended: bool,
        ground: &Ground<'_>,
        deeds: &mut Deeds<'_>,
    ) {
        if ground.config.rules.declines(ground.leaving, self.has_begun(shard)) {
            return self.decline(shard, epoch, ground, deeds);
        }
        if self.sit(shard, epoch, ground, deeds) && ended {
            self.with(shard, ground, deeds, |tenancy, out| {
                tenancy.act(ground.now, out);
                Verdict::Stays
            });
        }
    }

    /// Makes sure that the shard has a tenancy at `epoch`; false if that epoch is over, or another one is not yet.
    fn sit(&mut self, shard: ShardId, epoch: Epoch, ground: &Ground<'_>, deeds: &mut Deeds<'_>) -> bool {
        if deeds.releases.has(shard, epoch) {
            return false;
        }
        // Without a lineage nothing is known that a seat could rest on.
        let Some(lineage) = ground.lineage else { return false };
        let warm = || Tenancy::warm(Seat::new(shard, lineage, epoch, ground.lease.clone()), deeds.out);
        self.tenancies.entry(shard).or_insert_with(warm).seat().epoch() == epoch
    }

    /// An heir that leaves before it began gives its epoch back.
    fn decline(&mut self, shard: ShardId, epoch: Epoch, ground: &Ground<'_>, deeds: &mut Deeds<'_>) {
        if deeds.releases.has(shard, epoch) {
            return;
        }
        if let Some(mut tenancy) = self.remove(shard) {
            tenancy.interrupt(ground.now, deeds.out);
        }
        note_release(shard, epoch, ground, deeds);
    }

    /// Declines promises that are asked back, where no work has begun.
    pub(super) fn give_back(
        &mut self,
        promised: Vec<(ShardId, Epoch)>,
        ground: &Ground<'_>,
        deeds: &mut Deeds<'_>,
    ) {
        for (shard, epoch) in promised {
            if ground.config.rules.gives_back(self.has_begun(shard)) {
                self.decline(shard, epoch, ground, deeds);
            }
        }
    }

    fn has_begun(&self, shard: ShardId) -> bool {
        self.tenancies.get(&shard).is_some_and(|tenancy| !tenancy.is_warming())
    }

    /// The work of a shard ended; `has_taker`: another member could try it.
    pub(super) fn ended(
        &mut self,
        (shard, epoch, outcome): (ShardId, Epoch, Outcome),
        has_taker: bool,
        ground: &Ground<'_>,
        deeds: &mut Deeds<'_>,
    ) {
        if self.tenancies.get(&shard).is_none_or(|tenancy| tenancy.seat().epoch() != epoch) {
            return;
        }
        let (mut restart, rules) = (ground.config.restart.clone(), ground.config.rules);
        if !has_taker {
            restart.hand_on_after = 0;
        }
        self.with(shard, ground, deeds, |tenancy, out| {
            tenancy.ended(ground.now, outcome, &restart, rules, out)
        });
        self.say_failing(shard, ground, deeds);
    }

    /// Time passed.
    pub(super) fn advance(&mut self, ground: &Ground<'_>, deeds: &mut Deeds<'_>) {
        let Config { timing, on_stuck, restart, .. } = ground.config;
        for shard in self.dues.due(ground.now) {
            self.with(shard, ground, deeds, |tenancy, out| {
                tenancy.advance(ground.now, timing, *on_stuck, restart, out)
            });
            if self.tenancies.get(&shard).is_some_and(Tenancy::is_stuck) {
                deeds.words.push(Word::Stuck(shard));
            }
            self.say_failing(shard, ground, deeds);
        }
    }

    /// Interrupts all work; what has none is over at once.
    pub(super) fn interrupt_all(&mut self, ground: &Ground<'_>, deeds: &mut Deeds<'_>) {
        self.with_all(ground, deeds, |tenancy, out| tenancy.interrupt(ground.now, out));
    }

    /// Lets all work finish, though nobody is there to take it.
    pub(super) fn drain_all(&mut self, ground: &Ground<'_>, deeds: &mut Deeds<'_>) {
        let until = ground.now + ground.config.timing.drain_limit;
        self.with_all(ground, deeds, |tenancy, out| tenancy.drain(None, until, out));
    }

    fn with_all(
        &mut self,
        ground: &Ground<'_>,
        deeds: &mut Deeds<'_>,
        act: impl Fn(&mut Tenancy, &mut Vec<Action>) -> Verdict,
    ) {
        let shards: Vec<ShardId> = self.tenancies.keys().copied().collect();
        for shard in shards {
            self.with(shard, ground, deeds, &act);
        }
    }

    /// Does something with one shard's work, and what follows from it.
    fn with(
        &mut self,
        shard: ShardId,
        ground: &Ground<'_>,
        deeds: &mut Deeds<'_>,
        act: impl FnOnce(&mut Tenancy, &mut Vec<Action>) -> Verdict,
    ) {
        let Some(tenancy) = self.tenancies.get_mut(&shard) else { return };
        let verdict = act(tenancy, deeds.out);
        let Config { timing, restart, .. } = ground.config;
        self.dues.set(&shard, tenancy.deadline(timing, restart));
        match verdict {
            Verdict::Stays => {}
            Verdict::Over => self.release(shard, ground, deeds),
            Verdict::HandOn => {
                deeds.words.push(Word::Avoids(shard));
                deeds.out.push(Action::Notice(Notice::HandedOn(shard)));
                self.release(shard, ground, deeds);
            }
        }
    }

    fn remove(&mut self, shard: ShardId) -> Option<Tenancy> {
        self.dues.set(&shard, None);
        self.tenancies.remove(&shard)
    }

    /// Who looks at the cluster is told which shards are owned to no avail.
    fn say_failing(&self, shard: ShardId, ground: &Ground<'_>, deeds: &mut Deeds<'_>) {
        let failing = self.tenancies.get(&shard).and_then(|tenancy| {
            let (failures, error) = tenancy.failures();
            let retry_at_ms = tenancy.retry_at().zip(ground.wall_ms);
            let retry_at_ms =
                retry_at_ms.map(|(at, wall_ms)| wall_ms + at.since(ground.now).as_millis() as u64);
            Some(Failing { shard, failures, error: error?.to_owned(), retry_at_ms }.told())
        });
        deeds.words.push(Word::Fails(shard, failing));
    }

    /// All work of a tenancy has ended and its guard is closed for ever: say so, to the heir first.
    fn release(&mut self, shard: ShardId, ground: &Ground<'_>, deeds: &mut Deeds<'_>) {
        let Some(tenancy) = self.remove(shard) else { return };
        tenancy.close();
        deeds.words.push(Word::Over(shard));
        if ground.life.is_none() {
            // The life is over; who closes it ends all its epochs at once.
            return;
        }
        tell_end(&tenancy, true, ground, deeds);
    }
}

/// Tells the heir, and everybody by our record, that an epoch has ended, as soon as the rules let each be told.
fn tell_end(tenancy: &Tenancy, has_ended: bool, ground: &Ground<'_>, deeds: &mut Deeds<'_>) {
    let rules = ground.config.rules;
    if rules.may_grant(has_ended) {
        deeds.out.extend(grant(tenancy, ground));
    }
    if rules.may_release(has_ended) {
        note_release(tenancy.seat().shard(), tenancy.seat().epoch(), ground, deeds);
    }
}

fn grant(tenancy: &Tenancy, ground: &Ground<'_>) -> Option<Action> {
    let heir = tenancy.heir()?;
    Some(Action::Grant(Grant {
        lineage: ground.lineage?,
        shard: tenancy.seat().shard(),
        owner: ground.life?.clone(),
        owner_epoch: tenancy.seat().epoch(),
        heir: heir.life.clone(),
        heir_epoch: heir.epoch,
    }))
}

fn note_release(shard: ShardId, epoch: Epoch, ground: &Ground<'_>, deeds: &mut Deeds<'_>) {
    deeds.releases.note(shard, epoch, ground.config.rules);
    let written = ground.config.rules.written_of(shard, epoch);
    deeds.words.extend(written.map(|(shard, epoch)| Word::Released(shard, epoch)));
}
