//! A walk through one journal.

use tenure_core::ids::Lineage;
use tenure_core::journal::{Author, Rules};

use super::desk::Desk;
use super::profile::{End, Profile};
use super::walked::{Kind, Listing, Start, Walked};
use crate::chance::Chance;
use crate::journal::owner::{Ended, author};
use crate::journal::promise::Promise;
use crate::log::Log;

/// Another founding of the cluster.
const STRANGE: Lineage = Lineage(2);

/// So many steps are enough for whoever is left alone.
const PATIENCE: usize = 2_000;

/// A walk through one journal.
#[derive(Debug)]
pub(super) struct Journey<'a, W: Walked> {
    number: usize,
    profile: &'a Profile,
    pub(super) world: W,
    owners: Vec<(Author, Desk)>,
    /// What was stored some time ago.
    yesterday: Option<W::Stored>,
    /// Listings show all that is there.
    pub(super) lists_all: bool,
    /// No more faults.
    is_ending: bool,
}

impl<'a, W: Walked> Journey<'a, W> {
    pub(super) fn new(number: usize, profile: &'a Profile, rules: Rules) -> Self {
        let (world, owners) = (W::untouched(rules), Vec::new());
        Self { number, profile, world, owners, yesterday: None, lists_all: false, is_ending: false }
    }

    /// One step more, if there is one.
    pub(super) fn go_on(&mut self, now: u64, chance: &mut Chance, log: &mut Log) -> Result<(), Promise> {
        let profile = self.profile;
        let alive: Vec<usize> = self.alive().collect();
        if self.yesterday.is_none() && now > profile.steps / 3 {
            self.yesterday = Some(self.world.copy());
        }
        if self.owners.len() < profile.starts && (alive.is_empty() || chance.in_10k(profile.begins)) {
            let same = chance.in_10k(profile.same_epoch);
            let is_heir = chance.in_10k(profile.reads_ahead);
            self.begin(now, same, is_heir, chance, log);
        } else if chance.in_10k(profile.crashes) && !alive.is_empty() {
            let owner = chance.pick(&alive);
            self.note(now, log, || format!("owner {owner} crashes"));
            self.world.crash(owner);
        } else if chance.in_10k(profile.submits) {
            self.submit(now, &alive, chance);
        } else {
            self.step(now, chance, log, |profile, kind| profile.weight(kind))?;
        }
        self.settle(now)
    }

    fn alive(&self) -> impl Iterator<Item = usize> {
        (0..self.owners.len()).filter(|owner| self.world.ended(*owner).is_none())
    }

    /// A start of work: of the last epoch again, or of a later one. An epoch is never given to two owners.
    pub(super) fn begin(
        &mut self,
        now: u64,
        same_epoch: bool,
        is_heir: bool,
        chance: &mut Chance,
        log: &mut Log,
    ) -> usize {
        let last = self.owners.last().map_or(0, |(author, _)| author.epoch.0);
        let epoch = if same_epoch && last > 0 { last } else { last + 1 + chance.below(2) };
        let mut author = author(self.owners.len(), epoch);
        let Profile { snapshots, under_way, strangers, .. } = *self.profile;
        // Only to a journal that is founded: it would be his own otherwise.
        if chance.in_10k(strangers)
            && self.alive().any(|owner| self.world.is_acting(owner))
            && !self.is_ending
        {
            author.lineage = STRANGE;
        }
        let owner = self.world.begin(Start { author, is_heir, snapshots, under_way });
        self.owners.push((author, Desk::new(&author, under_way)));
        self.note(now, log, || {
            format!("owner {owner} begins at epoch {epoch}{}", if is_heir { ", ahead" } else { "" })
        });
        owner
    }

    fn submit(&mut self, now: u64, alive: &[usize], chance: &mut Chance) {
        let acting: Vec<usize> = alive.iter().copied().filter(|owner| self.world.is_acting(*owner)).collect();
        let Some(owner) = acting.get(chance.place(acting.len())) else { return };
        self.submit_to(now, *owner, chance);
    }

    pub(super) fn submit_to(&mut self, now: u64, owner: usize, chance: &mut Chance) {
        self.owners[owner].1.submit(now, self.world.next(owner), chance);
    }

    /// Takes one of the steps that are possible, by weight. Says whether there was one.
    pub(super) fn step(
        &mut self,
        now: u64,
        chance: &mut Chance,
        log: &mut Log,
        weight: impl Fn(&Profile, Kind) -> u32,
    ) -> Result<bool, Promise> {
        let steps = self.world.steps();
        let weighed: Vec<(usize, u32)> = steps
            .iter()
            .enumerate()
            .map(|(place, step)| (place, weight(self.profile, self.world.kind(step))))
            .collect();
        let Some(place) = chance.weighed(&weighed) else { return Ok(false) };
        let step = &steps[place];
        if let Kind::Own(owner) = self.world.kind(step) {
            let listing = self.listing(chance);
            self.world.list(owner, listing);
        }
        self.note(now, log, || self.world.words(step));
        self.world.take(step)?;
        Ok(true)
    }

    fn listing(&self, chance: &mut Chance) -> Listing {
        if self.lists_all {
            Listing::Fresh
        } else if chance.in_10k(self.profile.old_listings) {
            Listing::Old
        } else if chance.in_10k(self.profile.no_listings) {
            Listing::None
        } else {
            Listing::Fresh
        }
    }

    /// What was acknowledged makes room for what waits.
    pub(super) fn settle(&mut self, now: u64) -> Result<(), Promise> {
        for owner in 0..self.owners.len() {
            let desk = &mut self.owners[owner].1;
            desk.landed(self.world.acknowledged(owner));
            while let Some(next) = self.world.next(owner) {
                let Some(batch) = desk.seal(now, next)? else { break };
                self.world.append(owner, batch);
            }
        }
        Ok(())
    }

    /// All is calm: the owner of the highest epoch comes to act, and stores something. Then perhaps damage is done.
    pub(super) fn end(mut self, now: u64, chance: &mut Chance, log: &mut Log) -> Result<(), Promise> {
        self.is_ending = true;
        let last = self.begin(now, false, false, chance, log);
        self.alone(last, now, chance, log)?;
        if !self.world.is_acting(last) {
            return Err(Promise::ComesToAct);
        }
        match self.profile.end {
            End::Calm => Ok(()),
            End::Hurt | End::Restored => self.after_damage(last, now, chance, log),
        }
    }

    /// An owner goes on alone until it has nothing more to do; whatever was sent lands, and nothing is lost.
    pub(super) fn alone(
        &mut self,
        owner: usize,
        now: u64,
        chance: &mut Chance,
        log: &mut Log,
    ) -> Result<(), Promise> {
        let weight = |_: &Profile, kind| match kind {
            Kind::Own(who) | Kind::Claim(who) => u32::from(who == owner),
            Kind::Land | Kind::LandLate => 1,
            Kind::Shorten(_) | Kind::Lose | Kind::Twice => 0,
        };
        for _ in 0..PATIENCE {
            if !self.step(now, chance, log, weight)? {
                return Ok(());
            }
            self.settle(now)?;
        }
        Err(Promise::ComesToAct)
    }

    pub(super) fn crash_all_but(&mut self, spared: Option<usize>) {
        let others: Vec<usize> = self.alive().filter(|owner| Some(*owner) != spared).collect();
        others.into_iter().for_each(|owner| self.world.crash(owner));
    }

    /// The copy that may be restored is one of now.
    pub(super) fn copy_late(&mut self) {
        self.yesterday = Some(self.world.copy());
    }

    pub(super) fn restores(&mut self) -> Option<W::Stored> {
        self.yesterday.take().filter(|_| self.profile.end == End::Restored)
    }

    pub(super) fn is_told(&self, owner: usize) -> bool {
        self.world.ended(owner) == Some(Ended::Told)
    }

    pub(super) fn note(&self, now: u64, log: &mut Log, what: impl FnOnce() -> String) {
        log.note(now * 1_000_000, || format!("log {}", self.number), what);
    }
}
