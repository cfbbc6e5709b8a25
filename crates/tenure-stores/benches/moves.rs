//! How long shards are without an owner on any store, measured with real processes:
//! `cargo bench -p tenure-stores --features all --bench moves -- --store ADDRESS`.
//!
//! A planned move is timed from the last beat of the old owner's work to the first of the new one's; a silent crash from
//! the signal that froze the owner. All on the boot-time clock that the processes share.

#[path = "../tests/fleet/mod.rs"]
mod fleet;
mod loss;

use std::time::Duration;

use fleet::processes::sqlite;
use fleet::{Spec, child};
use loss::{Loss, Times, settled};
use rustix::process::Signal;

fn main() {
    if let Some(spec) = Spec::from_env() {
        return child::live(&spec);
    }
    let arguments: Vec<String> = std::env::args().collect();
    let address = arguments.iter().skip_while(|argument| *argument != "--store").nth(1);
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let (moves, crashes) = if quick { (2, 1) } else { (10, 5) };
    println!("{}", address.map_or_else(|| "sqlite".into(), |address| tenure_stores::shown(address)));
    report("planned move, without an owner", &Times::of(moves, || strike(address, Signal::TERM)));
    report("silent crash, signal to new owner", &Times::of(crashes, || strike(address, Signal::STOP)));
}

fn report(what: &str, times: &Times) {
    let (p50, p99, of_ttl, count) = (times.at(0.5), times.at(0.99), times.of_ttl(0.99), times.count());
    println!("  {what}: p50 {p50:.1?}, p99 {p99:.1?} ({of_ttl:.3} of the ttl; {count} samples)");
}

/// How long each shard of a member that gets `signal` has no owner.
fn strike(address: Option<&String>, signal: Signal) -> Vec<Duration> {
    let folder = tempfile::tempdir().expect("a folder");
    let address = address.cloned().unwrap_or_else(|| sqlite(folder.path()));
    let fleet = settled(folder.path(), &address, &["a", "b", "c"]);
    let loss = Loss::by(signal, &fleet);
    loss.gaps(|beats, shard| match signal {
        Signal::TERM => beats.last_of(shard, &loss.victim).unwrap_or(loss.struck),
        _ => loss.struck,
    })
}
