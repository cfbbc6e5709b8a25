//! Random blows to any set of a member's processes at one instant: no shard ever has two workers, and nothing is left behind.
//!
//! The commands are the worst there are: their workers are grandchildren that left their session and closed everything.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tenure::clock::Clock;
use tenure_core::moment::Moment;
use tenure_testbed::Kind;

use crate::fleet::{Fleet, Member};

/// How often the storm looks for somebody to strike.
const TICK: Duration = Duration::from_millis(20);

/// Says how many blows fall, instead of what is usual.
const BLOWS: &str = "TENURE_BLOWS";

/// How many blows fall, and how long it is calm between two at most.
#[derive(Clone, Copy, Debug)]
struct Force {
    blows: usize,
    calm: Duration,
}

impl Force {
    /// On a file: a death is proven, and the next owner is there at once.
    const FILE: Self = Self { blows: 60, calm: Duration::from_millis(700) };

    /// On a server: the next owner waits for the lease, and would never come if the next blow did not wait too.
    const SERVER: Self = Self { blows: 24, calm: Duration::from_millis(2500) };

    fn blows(self) -> usize {
        let told = std::env::var(BLOWS).ok().and_then(|told| told.parse().ok());
        told.unwrap_or(self.blows)
    }
}

/// What happens to one of a member's three processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blow {
    None,
    Kill,
    Freeze,
}

/// What happens to all three at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Strike {
    member: Blow,
    reaper: Blow,
    warden: Blow,
}

impl Strike {
    /// Any mixture, except nothing at all.
    fn any(dice: &mut fastrand::Rng) -> Self {
        let mut one = || [Blow::None, Blow::Kill, Blow::Freeze][dice.usize(..3)];
        let strike = Self { member: one(), reaper: one(), warden: one() };
        let nothing = Self { member: Blow::None, reaper: Blow::None, warden: Blow::None };
        if strike == nothing { Self::any(dice) } else { strike }
    }

    /// Without a namespace grandchildren outlive a reaper whose member can't adopt and end them at once: not promised there.
    fn is_promised_in_the_open(self) -> bool {
        self.reaper == Blow::None || self.member == Blow::None
    }

    fn fall_on(self, member: &Member) {
        let all = [(self.member, Some(member.pid())), (self.reaper, member.find_reaper())];
        let all = all.into_iter().chain([(self.warden, member.find_warden())]);
        // Found first, struck then: as close to one instant as one process can.
        for (blow, pid) in all.filter_map(|(blow, pid)| Some((blow, pid?))).collect::<Vec<_>>() {
            blow.fall_on(pid);
        }
    }
}

impl Blow {
    fn fall_on(self, process: Pid) {
        let signal = match self {
            Self::None => return,
            Self::Kill => Signal::KILL,
            Self::Freeze => Signal::STOP,
        };
        // It may end on its own meanwhile.
        let _ = kill_process(process, signal);
    }
}

struct Storm {
    fleet: Fleet,
    clock: Clock,
    dice: fastrand::Rng,
    force: Force,
    promised: fn(Strike) -> bool,
    /// When all that is frozen of each member goes on.
    thaw_at: Vec<Option<Moment>>,
}

impl Storm {
    fn over(fleet: Fleet, force: Force, promised: fn(Strike) -> bool) -> Self {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let dice = fastrand::Rng::with_seed(seed);
        Self { fleet, clock: Clock::boot(), dice, force, promised, thaw_at: vec![None; 3] }
    }

    fn rage(&mut self) {
        (0..self.force.blows()).for_each(|_| self.strike());
    }

    /// Strikes as soon as there is somebody to strike: most of the time somebody for whom something runs.
    fn strike(&mut self) {
        let idle_too = self.dice.u8(..4) == 0;
        let index = loop {
            let there = |index: &usize| self.thaw_at[*index].is_none() && (idle_too || self.is_busy(*index));
            match self.dice.choice((0..3).filter(there).collect::<Vec<_>>()) {
                Some(index) => break index,
                None => self.pass(TICK),
            }
        };
        self.blow(index);
        let calm = self.force.calm.mul_f64(self.dice.f64());
        self.pass(calm);
    }

    fn is_busy(&self, index: usize) -> bool {
        self.fleet.members[index].is_busy()
    }

    /// Lets time pass, and then lets those go on that are due.
    fn pass(&mut self, span: Duration) {
        std::thread::sleep(span);
        self.thaw();
        self.replace_ended();
    }

    fn blow(&mut self, index: usize) {
        if self.dice.u8(..8) == 0 {
            return self.fleet.members[index].signal(Signal::TERM);
        }
        let strike = Strike::any(&mut self.dice);
        if !(self.promised)(strike) {
            return;
        }
        strike.fall_on(&self.fleet.members[index]);
        if strike.member != Blow::Kill {
            let span = self.fleet.ttl().mul_f64(3.0 * self.dice.f64());
            self.thaw_at[index] = Some(self.clock.now() + span);
        }
    }

    fn thaw(&mut self) {
        let now = self.clock.now();
        for (index, at) in self.thaw_at.iter_mut().enumerate() {
            if at.is_some_and(|at| at <= now) {
                *at = None;
                thaw(&self.fleet.members[index]);
            }
        }
    }

    fn replace_ended(&mut self) {
        for index in 0..3 {
            if self.fleet.members[index].ended().is_some() {
                self.thaw_at[index] = None;
                self.fleet.restart(index);
            }
        }
    }

    /// Ends every freeze, and asks for the proofs.
    fn end(mut self) {
        self.fleet.thaw();
        // Those that were told to leave have left, and others are in their places.
        std::thread::sleep(self.fleet.ttl());
        self.replace_ended();
        self.fleet.settle(|counts| counts.iter().all(|count| *count > 0));
        let beats = self.fleet.assert_exclusive();
        println!("{} beats in {} tenures", beats.count(), beats.tenures());
        println!("{}", self.fleet.audit());
        self.fleet.leave_nothing();
    }
}

fn thaw(member: &Member) {
    let helpers = [member.find_warden(), member.find_reaper()].into_iter().flatten();
    for process in helpers.chain([member.pid()]) {
        let _ = kill_process(process, Signal::CONT);
    }
}

#[test]
fn no_blows_to_any_set_of_processes_give_a_shard_two_workers() {
    let fleet = Fleet::new(8).of_deserters().with_members(3).settled();
    let mut storm = Storm::over(fleet, Force::FILE, |_| true);
    storm.rage();
    storm.end();
}

#[test]
fn without_a_namespace_neither_as_long_as_member_or_reaper_are_spared() {
    let fleet = Fleet::new(8).in_the_open().of_deserters().with_members(3).settled();
    let mut storm = Storm::over(fleet, Force::FILE, Strike::is_promised_in_the_open);
    storm.rage();
    storm.end();
}

/// Members whose records are on a real server, together with those of others.
fn storm_on(server: Kind) {
    let fleet = Fleet::new(6).on(tenure_testbed::url(server)).with_ttl(Duration::from_secs(3)).of_deserters();
    let mut storm = Storm::over(fleet.with_members(3).settled(), Force::SERVER, |_| true);
    storm.rage();
    storm.end();
}

#[test]
fn neither_with_records_on_etcd() {
    storm_on(Kind::Etcd);
}

#[test]
fn neither_with_records_on_s3() {
    storm_on(Kind::S3);
}

#[test]
fn neither_with_records_on_kubernetes() {
    storm_on(Kind::Kubernetes);
}

#[test]
fn neither_with_records_on_postgres() {
    storm_on(Kind::Postgres);
}
