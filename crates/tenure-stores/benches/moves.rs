//! How long shards are without an owner on any store, measured with real processes:
//! `cargo bench -p tenure-stores --features all --bench moves -- --store ADDRESS`.
//!
//! A planned move is timed from the last beat of the old owner's work to the first of the new one's; a silent crash from
//! the signal that froze the owner. All on the boot-time clock that the processes share.

#[path = "../tests/fleet/mod.rs"]
mod fleet;

use std::time::Duration;

use fleet::processes::sqlite;
use fleet::{Beats, Fleet, Spec, child};
use rustix::process::Signal;
use tenure::clock::Clock;

const TTL: Duration = Duration::from_secs(10);
const SHARDS: u32 = 64;

fn main() {
    if let Some(spec) = Spec::from_env() {
        return child::live(&spec);
    }
    let arguments: Vec<String> = std::env::args().collect();
    let address = arguments.iter().skip_while(|argument| *argument != "--store").nth(1);
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let (moves, crashes) = if quick { (2, 1) } else { (10, 5) };
    println!("{}", address.map_or("sqlite".into(), |address| tenure_stores::shown(address)));
    report("planned move, without an owner", &many(moves, || strike(address, Signal::TERM)));
    report("silent crash, signal to new owner", &many(crashes, || strike(address, Signal::STOP)));
}

fn many(rounds: usize, measure: impl Fn() -> Vec<Duration>) -> Vec<Duration> {
    let mut all: Vec<Duration> = (0..rounds).flat_map(|_| measure()).collect();
    all.sort_unstable();
    all
}

fn report(what: &str, sorted: &[Duration]) {
    let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
    let of_ttl = at(0.99).as_secs_f64() / TTL.as_secs_f64();
    let (p50, p99, count) = (at(0.5), at(0.99), sorted.len());
    println!("  {what}: p50 {p50:.1?}, p99 {p99:.1?} ({of_ttl:.3} of the ttl; {count} samples)");
}

/// How long each shard of a member that gets `signal` has no owner.
fn strike(address: Option<&String>, signal: Signal) -> Vec<Duration> {
    let folder = tempfile::tempdir().expect("a folder");
    let address = address.cloned().unwrap_or_else(|| sqlite(folder.path()));
    let mut fleet = Fleet::new(folder.path(), &[], SHARDS, TTL);
    ["a", "b", "c"].into_iter().for_each(|id| fleet.start(id, &address));
    fleet.settle(0, |counts| counts.iter().all(|count| count.abs_diff(SHARDS as usize / 3) <= 1));
    let victim = fleet.members[0].process();
    let before = fleet.beats().latest();
    let theirs: Vec<u32> =
        before.iter().filter(|(_, (by, _))| *by == victim).map(|(shard, _)| *shard).collect();
    let struck = Clock::boot().now().as_nanos();
    fleet.members[0].signal(signal);
    let from = |beats: &Beats, shard| match signal {
        Signal::TERM => beats.last_of(shard, &victim).unwrap_or(struck),
        _ => struck,
    };
    let beats = all_elsewhere(&fleet, &theirs, struck, &victim);
    let gap = |shard: &u32| beats.first_after(*shard, struck).map(|(nanos, _)| nanos - from(&beats, *shard));
    theirs.iter().filter_map(gap).map(Duration::from_nanos).collect()
}

/// Waits until each of `shards` beats in another process than `victim`.
fn all_elsewhere(fleet: &Fleet, shards: &[u32], since: u64, victim: &str) -> Beats {
    // Ends with the first look at which all have moved; the protocol promises that it comes.
    loop {
        let beats = fleet.beats();
        let moved = |shard: &u32| beats.first_after(*shard, since).is_some_and(|(_, by)| by != victim);
        if shards.iter().all(moved) {
            return beats;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}
