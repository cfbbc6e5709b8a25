//! A hundred random blows to members and wardens: no shard ever has two children, and nothing is left behind.

use std::time::Duration;

use rustix::process::{Signal, kill_process};
use tenure::clock::Clock;
use tenure_core::moment::Moment;

use crate::fleet::Fleet;

const TTL: Duration = Duration::from_secs(2);
const FAULTS: usize = 100;

#[derive(Clone, Copy, Debug)]
enum Fault {
    KillMember,
    KillWarden,
    KillBoth,
    FreezeMember,
    FreezeWarden,
    Leave,
}

const ALL: [Fault; 6] = [
    Fault::KillMember,
    Fault::KillWarden,
    Fault::KillBoth,
    Fault::FreezeMember,
    Fault::FreezeWarden,
    Fault::Leave,
];

struct Storm {
    fleet: Fleet,
    clock: Clock,
    dice: fastrand::Rng,
    /// When each frozen member goes on.
    thaw_at: Vec<Option<Moment>>,
}

impl Storm {
    fn strike(&mut self) {
        let awake: Vec<usize> = (0..3).filter(|index| self.thaw_at[*index].is_none()).collect();
        if let Some(index) = self.dice.choice(awake) {
            let fault = ALL[self.dice.usize(..ALL.len())];
            self.blow(index, fault);
        }
        std::thread::sleep(Duration::from_millis(self.dice.u64(..700)));
        self.thaw();
        self.replace_ended();
    }

    fn blow(&mut self, index: usize, fault: Fault) {
        let member = &mut self.fleet.members[index];
        let warden = member.find_warden();
        // It may end on its own meanwhile.
        let to_warden = |signal| warden.map(|warden| kill_process(warden, signal));
        match fault {
            Fault::KillMember => member.kill(),
            Fault::KillWarden => drop(to_warden(Signal::KILL)),
            Fault::KillBoth => {
                let _ = to_warden(Signal::KILL);
                member.kill();
            }
            Fault::FreezeWarden => drop(to_warden(Signal::STOP)),
            Fault::Leave => member.signal(Signal::TERM),
            Fault::FreezeMember => {
                member.signal(Signal::STOP);
                let span = TTL.mul_f64(3.0 * self.dice.f64());
                self.thaw_at[index] = Some(self.clock.now() + span);
            }
        }
    }

    fn thaw(&mut self) {
        let now = self.clock.now();
        for (index, at) in self.thaw_at.iter_mut().enumerate() {
            if at.is_some_and(|at| at <= now) {
                *at = None;
                self.fleet.members[index].signal(Signal::CONT);
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

    /// Ends every freeze.
    fn calm(&mut self) {
        for index in 0..3 {
            if self.thaw_at[index].take().is_some() {
                self.fleet.members[index].signal(Signal::CONT);
            }
            if let Some(warden) = self.fleet.members[index].find_warden() {
                let _ = kill_process(warden, Signal::CONT);
            }
        }
    }
}

#[test]
fn a_hundred_blows_never_give_a_shard_two_children() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut storm = Storm {
        fleet: Fleet::of(3, 8),
        clock: Clock::boot(),
        dice: fastrand::Rng::with_seed(seed),
        thaw_at: vec![None; 3],
    };
    (0..FAULTS).for_each(|_| storm.strike());
    storm.calm();
    // Those that were told to leave have left, and others are in their places.
    std::thread::sleep(TTL);
    storm.replace_ended();
    storm.fleet.settle(|counts| counts.iter().all(|count| *count > 0));
    let beats = storm.fleet.assert_exclusive();
    println!("{} beats in {} tenures", beats.count(), beats.tenures());
    println!("{}", storm.fleet.audit());
    storm.fleet.leave_nothing();
}
