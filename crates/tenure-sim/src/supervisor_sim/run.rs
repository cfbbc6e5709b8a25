//! A seed: who is struck when, and who gets to run in each millisecond.

use std::time::Duration;

use tenure_core::moment::Moment;

use super::flaw::HelperFlaw;
use super::judge;
use super::kernel::{Kernel, Slate, Who};
use super::member::Member;
use super::reaper::Reaper;
use super::strike;
use super::warden::Warden;
use crate::chance::Chance;
use crate::promises::Violation;

const TTL: Duration = Duration::from_secs(2);
const ALLOWANCE: Duration = Duration::from_millis(100);
const TICK: Duration = Duration::from_millis(1);

/// How long there are faults, and how long it is calm after them.
const FAULTS_MS: u64 = 8_000;
const CALM_MS: u64 = 10_000;

/// Nobody who is awake waits longer for its turn, in milliseconds.
const LATEST: u64 = 3;

/// One member with its helpers.
#[derive(Debug)]
pub(super) struct SupervisorSim {
    kernel: Kernel,
    slate: Slate,
    member: Member,
    reaper: Reaper,
    warden: Warden,
    /// When each of the three gets to run next.
    turns: [Moment; 3],
    store_back: Moment,
    thaw: Moment,
    /// The next strike, unless one comes with a new lease.
    strike: Moment,
}

impl SupervisorSim {
    pub(super) fn new(seed: u64, flaw: Option<HelperFlaw>) -> Self {
        let mut chance = Chance::new(seed);
        let beat = TTL / 8;
        let shards = 1 + u32::try_from(chance.below(4)).unwrap_or(0);
        let strike = Moment::ZERO + Duration::from_millis(chance.below(4_000));
        Self {
            kernel: Kernel::new(chance, flaw, ALLOWANCE),
            slate: Slate::default(),
            member: Member::new(TTL, shards),
            reaper: Reaper::new(ALLOWANCE, beat),
            warden: Warden::new(ALLOWANCE, beat),
            turns: [Moment::ZERO; 3],
            store_back: Moment::ZERO,
            thaw: Moment::ZERO,
            strike,
        }
    }

    /// Runs it to its end.
    pub(super) fn run(mut self) -> Option<Violation> {
        self.live().err()
    }

    fn live(&mut self) -> Result<(), Violation> {
        // Not from zero, which means "never".
        self.kernel.now = Moment::ZERO + Duration::from_secs(1);
        for tick in 0..FAULTS_MS + CALM_MS {
            self.kernel.now = self.kernel.now + TICK;
            match tick {
                FAULTS_MS => self.calm(),
                tick if tick < FAULTS_MS => self.faults(),
                _ => {}
            }
            self.kernel.tick(&self.slate);
            self.turns()?;
            judge::moment(&self.kernel, &self.member, TTL)?;
            if self.is_over() {
                return Ok(());
            }
        }
        judge::end(&self.kernel, &self.member)
    }

    fn is_over(&self) -> bool {
        let nobody = [Who::Member, Who::Reaper, Who::Warden].iter().all(|who| !self.kernel.task(*who).alive);
        nobody && self.kernel.living(|_| true).is_empty()
    }

    fn turns(&mut self) -> Result<(), Violation> {
        for who in [Who::Member, Who::Reaper, Who::Warden] {
            let now = self.kernel.now;
            if !self.kernel.task(who).is_awake() || now < self.turns[who as usize] {
                continue;
            }
            self.turns[who as usize] = now + Duration::from_millis(self.kernel.chance.below(LATEST));
            match who {
                Who::Member => self.member_turn()?,
                Who::Reaper => self.reaper.turn(&mut self.kernel, &mut self.slate),
                Who::Warden => self.warden.turn(&mut self.kernel, &mut self.slate),
            }
        }
        Ok(())
    }

    fn member_turn(&mut self) -> Result<(), Violation> {
        let store = self.kernel.now >= self.store_back;
        let began = self.member.turn(&mut self.kernel, &mut self.slate, store)?;
        // The worst moment for a blow: a lease begins, and nobody has done anything about it yet.
        if began && self.kernel.chance.in_10k(3_000) {
            self.strike = self.kernel.now + Duration::from_millis(self.kernel.chance.below(8));
        }
        Ok(())
    }

    fn faults(&mut self) {
        let now = self.kernel.now;
        if now >= self.strike {
            strike::strike(&mut self.kernel);
            self.strike = now + Duration::from_millis(500 + self.kernel.chance.below(5_000));
            self.thaw = now + Duration::from_millis(self.kernel.chance.below(6_000));
        }
        if now >= self.thaw {
            strike::thaw(&mut self.kernel);
        }
        if self.kernel.chance.in_10k(5) {
            self.store_back = now + Duration::from_millis(self.kernel.chance.below(4_000));
        }
        if self.kernel.chance.in_10k(5) && self.kernel.task(Who::Member).is_awake() {
            self.member.lapse(&mut self.kernel, &mut self.slate);
        }
    }

    fn calm(&mut self) {
        strike::thaw(&mut self.kernel);
        (self.store_back, self.member.restless) = (self.kernel.now, false);
    }
}
