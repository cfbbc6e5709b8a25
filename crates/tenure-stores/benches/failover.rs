//! How fast ownership moves on SQLite, measured with real processes: `cargo bench -p tenure-stores --bench failover`.
//!
//! Times are taken from the beats that the shards' work writes every millisecond, on the boot-time clock that all
//! processes share: from the signal to the first beat of each shard elsewhere.

#[path = "../tests/fleet/mod.rs"]
mod fleet;
mod loss;

use std::time::Duration;

use fleet::processes::sqlite;
use fleet::{Spec, child};
use loss::{Loss, SHARDS, Times, settled};
use rustix::process::Signal;
use tenure::clock::Clock;

fn main() {
    if let Some(spec) = Spec::from_env() {
        return child::live(&spec);
    }
    let quick = std::env::args().any(|argument| argument == "--quick");
    let rounds = if quick { 3 } else { 20 };
    report("SIGKILL to new owner", &Times::of(rounds, || strike(Signal::KILL)));
    report("SIGTERM to new owner", &Times::of(rounds, || strike(Signal::TERM)));
    report("SIGSTOP to new owner", &Times::of(rounds.min(5), || strike(Signal::STOP)));
    report("join to balanced (64 shards, 2 to 3 members)", &Times::of(rounds.min(10), join));
}

fn report(what: &str, times: &Times) {
    let (p50, p99, max) = (times.at(0.5), times.at(0.99), times.at(1.0));
    let (of_ttl, count) = (times.of_ttl(0.99), times.count());
    println!(
        "{what}: p50 {p50:.1?}, p99 {p99:.1?}, max {max:.1?} (p99 is {of_ttl:.3} of the ttl; {count} samples)"
    );
}

/// How long each shard of a member that gets `signal` has no owner.
fn strike(signal: Signal) -> Vec<Duration> {
    let folder = tempfile::tempdir().expect("a folder");
    let fleet = settled(folder.path(), &sqlite(folder.path()), &["a", "b", "c"]);
    let loss = Loss::by(signal, &fleet);
    loss.gaps(|_, _| loss.struck)
}

/// How long it takes until a third member has its whole share.
fn join() -> Vec<Duration> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut fleet = settled(folder.path(), &sqlite(folder.path()), &["a", "b"]);
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
