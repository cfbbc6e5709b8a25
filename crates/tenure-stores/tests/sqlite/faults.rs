//! Real processes, real faults: three members, 32 shards, fifty random blows.

use std::time::Duration;

use rustix::process::Signal;
use tenure::clock::Clock;
use tenure_core::moment::Moment;

use crate::fleet::processes::folder;
use crate::fleet::{Fleet, Spec, child};

const TTL: Duration = Duration::from_secs(2);
const FAULTS: usize = 50;

/// Not a test by itself: this binary, started again as a member.
#[test]
fn member_process() {
    if let Some(spec) = Spec::from_env() {
        child::live(&spec);
    }
}

/// One blow to one member.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Kill,
    Leave,
    FreezeShort,
    FreezeLong,
}

/// The blows, drawn from a seed so that a run can be repeated as far as the machine allows.
struct Storm {
    fleet: Fleet,
    clock: Clock,
    dice: fastrand::Rng,
    thaw_at: Vec<Option<Moment>>,
}

impl Storm {
    fn strike(&mut self) {
        self.thaw();
        let awake: Vec<usize> =
            (0..self.thaw_at.len()).filter(|index| self.thaw_at[*index].is_none()).collect();
        let Some(index) = self.dice.choice(awake) else { return };
        let faults = [Fault::Kill, Fault::Leave, Fault::FreezeShort, Fault::FreezeLong];
        let fault = faults[self.dice.usize(..faults.len())];
        match fault {
            Fault::Kill => self.fleet.members[index].kill(),
            Fault::Leave => self.fleet.members[index].leave(),
            Fault::FreezeShort => return self.freeze(index, 0.1..0.7),
            Fault::FreezeLong => return self.freeze(index, 1.3..2.2),
        }
        self.pause(0..400);
        self.fleet.restart(index);
    }

    fn freeze(&mut self, index: usize, share: std::ops::Range<f64>) {
        let span = TTL.mul_f64(share.start + self.dice.f64() * (share.end - share.start));
        self.fleet.members[index].signal(Signal::STOP);
        self.thaw_at[index] = Some(self.clock.now() + span);
    }

    fn thaw(&mut self) {
        let now = self.clock.now();
        for (index, at) in self.thaw_at.iter_mut().enumerate() {
            if at.is_some_and(|at| now >= at) {
                self.fleet.members[index].signal(Signal::CONT);
                *at = None;
            }
        }
    }

    fn pause(&mut self, range: std::ops::Range<u64>) {
        let span = self.dice.u64(range);
        std::thread::sleep(Duration::from_millis(span));
    }

    fn calm(&mut self) {
        while self.thaw_at.iter().any(Option::is_some) {
            self.pause(50..51);
            self.thaw();
        }
    }
}

#[test]
fn fifty_random_faults_leave_no_overlap_and_no_shard_without_an_owner() {
    let folder = folder();
    let seed = std::env::var("TENURE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(4711);
    println!("TENURE_SEED={seed}");
    let mut fleet = Fleet::new(folder.path(), &["faults::member_process", "--exact", "--nocapture"], 32, TTL);
    for id in ["a", "b", "c"] {
        fleet.start(id);
    }
    fleet.settle(0, |counts| counts.iter().all(|count| *count >= 10));
    let dice = fastrand::Rng::with_seed(seed);
    let mut storm = Storm { fleet, clock: Clock::boot(), dice, thaw_at: vec![None; 3] };
    for _ in 0..FAULTS {
        storm.strike();
        storm.pause(100..500);
    }
    storm.calm();
    let calm = storm.clock.now().as_nanos();
    let counts = storm.fleet.settle(calm, |counts| counts.iter().all(|count| *count > 0));
    let beats = storm.fleet.beats();
    println!("{} beats in {} tenures; at the end {counts:?}", beats.count(), beats.tenures());
    assert_eq!(beats.violations(), Vec::<String>::new());
}
