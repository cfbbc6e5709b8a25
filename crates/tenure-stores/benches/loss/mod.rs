//! What the benches of moving ownership measure with: a fleet that has settled, a member of it that is struck, and the moments at
//! which its shards beat elsewhere.

use std::path::Path;
use std::time::Duration;

use rustix::process::Signal;
use tenure::clock::Clock;

use crate::fleet::{Beats, Fleet};

pub(crate) const TTL: Duration = Duration::from_secs(10);
pub(crate) const SHARDS: u32 = 64;

/// How often to look whether the shards have moved. Times are taken from the beats, so this is in none of them.
const GLANCE: Duration = Duration::from_millis(20);

/// What many rounds took, in order of length.
#[derive(Debug)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    /// Measures that often.
    pub(crate) fn of(rounds: usize, measure: impl Fn() -> Vec<Duration>) -> Self {
        let mut all: Vec<Duration> = (0..rounds).flat_map(|_| measure()).collect();
        all.sort_unstable();
        Self(all)
    }

    /// The time that this share of all stayed within.
    pub(crate) fn at(&self, share: f64) -> Duration {
        self.0[((self.0.len() - 1) as f64 * share).round() as usize]
    }

    /// The same, as a share of the lease.
    pub(crate) fn of_ttl(&self, share: f64) -> f64 {
        self.at(share).as_secs_f64() / TTL.as_secs_f64()
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }
}

/// A fleet of these members on the store at `address`, once they have divided the shards.
pub(crate) fn settled(folder: &Path, address: &str, ids: &[&str]) -> Fleet {
    let mut fleet = Fleet::new(folder, &[], SHARDS, TTL);
    ids.iter().for_each(|id| fleet.start(id, address));
    let each = SHARDS as usize / ids.len();
    fleet.settle(0, |counts| counts.iter().all(|count| count.abs_diff(each) <= 1));
    fleet
}

/// The loss of a member.
#[derive(Debug)]
pub(crate) struct Loss<'a> {
    fleet: &'a Fleet,
    /// The process that was struck.
    pub(crate) victim: String,
    /// When, in boot time.
    pub(crate) struck: u64,
    shards: Vec<u32>,
}

impl<'a> Loss<'a> {
    /// Sends `signal` to the first member.
    pub(crate) fn by(signal: Signal, fleet: &'a Fleet) -> Self {
        let victim = fleet.members[0].process();
        let before = fleet.beats().latest();
        let theirs = before.iter().filter(|(_, (by, _))| *by == victim);
        let shards = theirs.map(|(shard, _)| *shard).collect();
        let struck = Clock::boot().now().as_nanos();
        fleet.members[0].signal(signal);
        Self { fleet, victim, struck, shards }
    }

    /// Waits until each of its shards beats elsewhere; how long that took each, from the moment that `since` says.
    pub(crate) fn gaps(&self, since: impl Fn(&Beats, u32) -> u64) -> Vec<Duration> {
        let beats = self.moved();
        let gap = |shard: &u32| Some(self.elsewhere(&beats, *shard)? - since(&beats, *shard));
        self.shards.iter().filter_map(gap).map(Duration::from_nanos).collect()
    }

    fn moved(&self) -> Beats {
        // Ends with the first look at which all have moved; the protocol promises that it comes.
        loop {
            let beats = self.fleet.beats();
            if self.shards.iter().all(|shard| self.elsewhere(&beats, *shard).is_some()) {
                return beats;
            }
            std::thread::sleep(GLANCE);
        }
    }

    /// The first beat of a shard after the strike, if it was another process's.
    fn elsewhere(&self, beats: &Beats, shard: u32) -> Option<u64> {
        beats.first_after(shard, self.struck).filter(|(_, by)| *by != self.victim).map(|(nanos, _)| nanos)
    }
}
