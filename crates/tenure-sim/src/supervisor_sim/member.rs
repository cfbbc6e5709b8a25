//! The member: renews, orders, hears of ends, feels pulses; and takes over when its helpers are gone.

use std::collections::BTreeMap;
use std::time::Duration;

use tenure_core::ids::{Epoch, ShardId};
use tenure_core::moment::Moment;
use tenure_core::warden::{JobId, Order, Pulse, Report, Window, Work};

use super::flaw::HelperFlaw;
use super::judge;
use super::kernel::{Kernel, Parent, Slate, State, Who};
use crate::promises::{Promise, Violation};

/// How many starts are on their way at once.
const IN_FLIGHT: usize = 2;

/// What the member knows.
#[derive(Debug)]
pub(super) struct Member {
    ttl: Duration,
    next_renewal: Moment,
    next_look: Moment,
    pulses: [Pulse; 2],
    window: Window,
    next_job: u64,
    /// Whether shards come and go.
    pub(super) restless: bool,
    /// The run of each shard, and the life that it was ordered in.
    pub(super) runs: BTreeMap<u32, Option<(JobId, u64)>>,
    /// The end of each life's lease.
    pub(super) ends: BTreeMap<u64, Moment>,
}

impl Member {
    pub(super) fn new(ttl: Duration, shards: u32) -> Self {
        let (next_renewal, next_look) = (Moment::ZERO, Moment::ZERO);
        let runs = (0..shards).map(|shard| (shard, None)).collect();
        let (pulses, window) = ([Pulse::default(); 2], Window::new(IN_FLIGHT));
        Self {
            ttl,
            next_renewal,
            next_look,
            pulses,
            window,
            next_job: 0,
            restless: true,
            runs,
            ends: BTreeMap::new(),
        }
    }

    /// One turn; says whether a lease has just begun.
    pub(super) fn turn(
        &mut self,
        kernel: &mut Kernel,
        slate: &mut Slate,
        store: bool,
    ) -> Result<bool, Violation> {
        if !kernel.task(Who::Warden).alive {
            self.take_over(kernel);
            return Ok(false);
        }
        let began = self.keep_lease(kernel, slate, store);
        self.hear(kernel, slate)?;
        self.order(kernel, slate);
        self.feel_pulses(kernel, slate);
        Ok(began)
    }

    fn keep_lease(&mut self, kernel: &mut Kernel, slate: &mut Slate, store: bool) -> bool {
        let (now, held) = (kernel.now, slate.term.until != Moment::ZERO);
        if held && now >= slate.term.until {
            self.lapse(kernel, slate);
        }
        if !store || now < self.next_renewal {
            return false;
        }
        let began = slate.term.until == Moment::ZERO;
        slate.term.life += u64::from(began);
        slate.term.until = now + self.ttl.mul_f64(0.74);
        slate.hint |= began;
        self.ends.insert(slate.term.life, slate.term.until);
        self.next_renewal = now + self.ttl / 3;
        began
    }

    /// The life is over, by its own clock or by an operator's word.
    pub(super) fn lapse(&mut self, kernel: &mut Kernel, slate: &mut Slate) {
        (slate.term.until, slate.hint) = (Moment::ZERO, true);
        self.next_renewal = kernel.now + Duration::from_millis(kernel.chance.below(200));
    }

    fn hear(&mut self, kernel: &Kernel, slate: &mut Slate) -> Result<(), Violation> {
        while let Some(report) = slate.reports.pop_front() {
            match report {
                Report::Begun(job) => self.window.landed(job),
                Report::Ended(job, _) => self.ended(job, kernel)?,
                Report::Trouble(_) => {}
            }
        }
        Ok(())
    }

    fn ended(&mut self, job: JobId, kernel: &Kernel) -> Result<(), Violation> {
        self.window.landed(job);
        for run in self.runs.values_mut().filter(|run| run.is_some_and(|(id, _)| id == job)) {
            *run = None;
        }
        match kernel.kids.iter().find(|kid| kid.job == job && kid.state == State::Acting) {
            Some(kid) => Err(judge::acts(Promise::ToldEndIsTrue, kernel, kid)),
            None => Ok(()),
        }
    }

    fn order(&mut self, kernel: &mut Kernel, slate: &mut Slate) {
        let life = slate.term.life;
        for run in self.runs.values_mut() {
            match run {
                Some((job, of)) if *of != life || (self.restless && kernel.chance.in_10k(5)) => {
                    let order = if *of == life { Order::Terminate(*job) } else { Order::Kill(*job) };
                    if self.window.cancel(*job) {
                        *run = None;
                    } else if slate.orders.len() < 64 {
                        slate.orders.push_back(order);
                    }
                }
                None if slate.term.until != Moment::ZERO => {
                    self.next_job += 1;
                    *run = Some((JobId(self.next_job), life));
                    self.window.ask(JobId(self.next_job));
                }
                Some(_) | None => {}
            }
        }
        while let Some(job) = self.window.send() {
            let ordered = self.runs.iter().find(|(_, run)| run.is_some_and(|(id, _)| id == job));
            if let Some((shard, Some((_, life)))) = ordered {
                let (shard, epoch) = (ShardId(*shard), Epoch(job.0));
                let work = Work { shard, epoch, incarnation: String::new(), traceparent: None };
                slate.orders.push_back(Order::Start(job, *life, work));
            }
        }
    }

    fn feel_pulses(&mut self, kernel: &mut Kernel, slate: &Slate) {
        if kernel.now < self.next_look || kernel.has(HelperFlaw::NoPulse) {
            return;
        }
        self.next_look = kernel.now + self.ttl / Pulse::IN_A_TTL;
        let beats = [slate.reaper_pulse, slate.warden_pulse];
        let silent = |(pulse, beat): (&mut Pulse, u64)| pulse.look(beat);
        if self.pulses.iter_mut().zip(beats).map(silent).fold(false, |any, one| any | one) {
            kernel.kill(Who::Reaper);
            kernel.kill(Who::Warden);
            for kid in kernel.living(|kid| kid.parent != Parent::Init) {
                kernel.kill_kid(kid);
            }
        }
    }

    /// Its helpers are gone: ends what they left, says so, and leaves.
    fn take_over(&mut self, kernel: &mut Kernel) {
        kernel.kill(Who::Reaper);
        if !kernel.is_gone(Who::Reaper) || !kernel.is_gone(Who::Warden) {
            return;
        }
        let left = kernel.living(|kid| kid.parent == Parent::Ours(Who::Member));
        if left.is_empty() {
            (kernel.word, kernel.left) = (true, true);
            kernel.exit(Who::Member);
        }
        left.into_iter().for_each(|kid| kernel.kill_kid(kid));
    }
}
