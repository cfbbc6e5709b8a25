//! Somebody has deleted, spoilt or restored what is stored. Whoever notices can't go on; whoever could have noticed must have.
//!
//! What can't be noticed: that the end of a journal is gone, by an owner that comes new to it. It never saw that end. On names, that
//! something in its midst is gone, while a listing fails or is old.

use super::journey::Journey;
use super::walked::Walked;
use crate::chance::Chance;
use crate::journal::promise::Promise;
use crate::log::Log;

impl<W: Walked> Journey<'_, W> {
    /// `survivor` is acting when it happens, and perhaps goes on. Two more owners come after it.
    pub(super) fn after_damage(
        mut self,
        survivor: usize,
        now: u64,
        chance: &mut Chance,
        log: &mut Log,
    ) -> Result<(), Promise> {
        self.crash_all_but(Some(survivor));
        self.world.ground();
        if chance.in_10k(5_000) {
            self.copy_late();
            self.store_more(survivor, now, chance, log)?;
        }
        let Some(what) = self.strike(chance) else { return Ok(()) };
        self.note(now, log, || what);
        // An old one hides what is there, or shows what was lost.
        self.lists_all = true;
        if chance.in_10k(5_000) {
            self.survive(survivor, now, chance, log)?;
        }
        self.crash_all_but(None);
        self.world.ground();
        for same_epoch in [chance.in_10k(5_000), true] {
            self.open_anew(same_epoch, now, chance, log)?;
            self.crash_all_but(None);
        }
        Ok(())
    }

    fn strike(&mut self, chance: &mut Chance) -> Option<String> {
        match self.restores() {
            Some(copy) => {
                self.world.restore(copy);
                Some("everything is restored from a copy".into())
            }
            None => self.world.hurt(chance),
        }
    }

    /// Who acts stores something more, or is told: it does not try for ever, and nobody has opened the journal after it.
    fn survive(
        &mut self,
        survivor: usize,
        now: u64,
        chance: &mut Chance,
        log: &mut Log,
    ) -> Result<(), Promise> {
        self.store_more(survivor, now, chance, log).map_err(|_| Promise::DamageTold)?;
        if self.world.is_acting(survivor) || self.is_told(survivor) {
            Ok(())
        } else {
            Err(Promise::DamageTold)
        }
    }

    fn store_more(
        &mut self,
        owner: usize,
        now: u64,
        chance: &mut Chance,
        log: &mut Log,
    ) -> Result<(), Promise> {
        self.submit_to(now, owner, chance);
        self.settle(now)?;
        self.alone(owner, now, chance, log)
    }

    fn open_anew(
        &mut self,
        same_epoch: bool,
        now: u64,
        chance: &mut Chance,
        log: &mut Log,
    ) -> Result<(), Promise> {
        let is_visible = self.world.is_visibly_damaged();
        let owner = self.begin(now, same_epoch, false, chance, log);
        self.alone(owner, now, chance, log)?;
        match (is_visible, self.world.is_acting(owner), self.is_told(owner)) {
            (true, false, true) | (false, true, false) => Ok(()),
            (true, _, _) => Err(Promise::DamageTold),
            (false, _, _) => Err(Promise::NoFalseAlarm),
        }
    }
}
