//! How fast ownership moves on SQLite, measured with real processes: `cargo bench -p tenure-stores --bench failover`.
//!
//! Times are taken from the beats that the shards' work writes every millisecond, on the boot-time clock that all
//! processes share: from the signal to the first beat of each shard elsewhere.

#[path = "../tests/fleet/mod.rs"]
mod fleet;

use std::time::Duration;

use fleet::processes::sqlite;
use fleet::{Fleet, Spec, child};
use rustix::process::Signal;
use tenure::clock::Clock;

const TTL: Duration = Duration::from_secs(10);
const SHARDS: u32 = 64;

fn main() {
    if let Some(spec) = Spec::from_env() {
        return child::live(&spec);
    }
    let quick = std::env::args().any(|argument| argument == "--quick");
    let rounds = if quick { 3 } else { 20 };
    report("SIGKILL to new owner", &many(rounds, || loss(Signal::KILL)), TTL);
    report("SIGTERM to new owner", &many(rounds, || loss(Signal::TERM)), TTL);
    report("SIGSTOP to new owner", &many(rounds.min(5), || loss(Signal::STOP)), TTL);
    report("join to balanced (64 shards, 2 to 3 members)", &many(rounds.min(10), join), TTL);
}

fn many(rounds: usize, measure: impl Fn() -> Vec<Duration>) -> Vec<Duration> {
    let mut all: Vec<Duration> = (0..rounds).flat_map(|_| measure()).collect();
    all.sort_unstable();
    all
}

fn report(what: &str, sorted: &[Duration], ttl: Duration) {
    let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
    let of_ttl = at(0.99).as_secs_f64() / ttl.as_secs_f64();
    println!(
        "{what}: p50 {:.1?}, p99 {:.1?}, max {:.1?} (p99 is {of_ttl:.3} of the ttl; {} samples)",
        at(0.5),
        at(0.99),
        at(1.0),
        sorted.len()
    );
}

fn start(folder: &std::path::Path, ids: &[&str]) -> Fleet {
    let mut fleet = Fleet::new(folder, &[], SHARDS, TTL);
    for id in ids {
        fleet.start(id, &sqlite(folder));
    }
    let each = SHARDS as usize / ids.len();
    fleet.settle(0, |counts| counts.iter().all(|count| count.abs_diff(each) <= 1));
    fleet
}

/// How long each shard of a member that gets `signal` has no owner.
fn loss(signal: Signal) -> Vec<Duration> {
    let folder = tempfile::tempdir().expect("a folder");
    let fleet = start(folder.path(), &["a", "b", "c"]);
    let victim = fleet.members[0].process();
    let before = fleet.beats().latest();
    let struck = Clock::boot().now().as_nanos();
    fleet.members[0].signal(signal);
    let theirs: Vec<u32> =
        before.iter().filter(|(_, (by, _))| *by == victim).map(|(shard, _)| *shard).collect();
    await_beats(&fleet, &theirs, struck, &victim)
}

/// How long it takes until a third member has its whole share.
fn join() -> Vec<Duration> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut fleet = start(folder.path(), &["a", "b"]);
    let begun = Clock::boot().now().as_nanos();
    fleet.start("c", &sqlite(folder.path()));
    fleet.settle(begun, |counts| counts.iter().all(|count| count.abs_diff(SHARDS as usize / 3) <= 1));
    let newcomer = fleet.members[2].process();
    let beats = fleet.beats();
    let firsts =
        (0..SHARDS).filter_map(|shard| beats.first_after(shard, begun).filter(|(_, by)| *by == newcomer));
    let last = firsts.map(|(nanos, _)| nanos).max().expect("its shards");
    vec![Duration::from_nanos(last - begun)]
}

fn await_beats(fleet: &Fleet, shards: &[u32], since: u64, victim: &str) -> Vec<Duration> {
    loop {
        let beats = fleet.beats();
        let firsts: Vec<u64> = shards
            .iter()
            .filter_map(|shard| beats.first_after(*shard, since).filter(|(_, by)| *by != victim))
            .map(|(nanos, _)| nanos)
            .collect();
        if firsts.len() == shards.len() {
            return firsts.into_iter().map(|nanos| Duration::from_nanos(nanos - since)).collect();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
