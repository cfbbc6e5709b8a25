//! `tenure run` measured from outside: `cargo bench -p tenure-cli --bench run [-- --quick]`.
//!
//! - how long a shard has no child after its member was killed, by the lines that the children write;
//! - how long a shard has no child when it is moved;
//! - a thousand shards of `sleep`: start, spread over four members, stop; and what one member with all of them weighs.

#![allow(clippy::unwrap_used, reason = "a measurement that meets what it does not expect fails")]

#[path = "../tests/run/beat.rs"]
#[allow(dead_code, reason = "the tests use another part of it")]
mod beat;
#[path = "../../tenure-stores/tests/fleet/beats.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with the tests of the store")]
mod beats;
#[path = "../tests/run/fleet.rs"]
#[allow(dead_code, reason = "the tests use another part of it")]
mod fleet;

use std::time::Duration;

use rustix::process::{Pid, Signal};
use tenure::clock::Clock;

use beats::Beats;
use fleet::Fleet;

const SLEEP: [&str; 2] = ["sleep", "100000"];
const MANY: usize = 1000;

fn main() {
    if beat::is_child() {
        return beat::live();
    }
    let quick = std::env::args().any(|argument| argument == "--quick");
    failover(if quick { 3 } else { 20 });
    moves(if quick { 10 } else { 200 });
    thousand(if quick { MANY / 10 } else { MANY });
}

/// From SIGKILL of a member to the first line of each of its shards below another, with a lease of 10 s.
fn failover(rounds: usize) {
    let mut fleet = Fleet::new(24).with_ttl(Duration::from_secs(10)).with_members(3);
    let (mut shards, mut members) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        fleet.settle(|counts| counts.iter().all(|count| *count == 8));
        let gaps = strike(&mut fleet, round % 3);
        members.push(gaps.iter().copied().max().unwrap());
        shards.extend(gaps);
        fleet.restart(round % 3);
    }
    fleet.assert_exclusive();
    report("SIGKILL of a member to a shard's child elsewhere", shards);
    report("SIGKILL of a member to the last of its shards' children elsewhere", members);
    fleet.leave_nothing();
}

fn strike(fleet: &mut Fleet, index: usize) -> Vec<Duration> {
    let before = Beats::read(fleet.folder()).unwrap().latest();
    let struck = Clock::boot().now().as_nanos();
    fleet.members[index].kill();
    let id = format!("m{index}-");
    let theirs: Vec<u32> =
        before.iter().filter(|(_, (process, _))| process.starts_with(&id)).map(|(shard, _)| *shard).collect();
    loop {
        let beats = Beats::read(fleet.folder()).unwrap();
        let firsts: Vec<u64> =
            theirs.iter().filter_map(|shard| Some(beats.first_after(*shard, struck)?.0)).collect();
        if firsts.len() == theirs.len() {
            return firsts.into_iter().map(|nanos| Duration::from_nanos(nanos - struck)).collect();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// `tenure move`, back and forth between two members whose children end at once: the time without a child, by their
/// histories.
fn moves(count: usize) {
    let fleet = Fleet::new(8).with_ttl(Duration::from_secs(10)).with_members(2);
    fleet.settle(|counts| counts == [4, 4]);
    for round in 0..count {
        let (shard, to) = ((round / 2 % 8).to_string(), format!("m{}", round % 2));
        fleet.tenure(&["move", &shard, "--to", &to]);
    }
    println!("tenure move:\n{}", fleet.audit().trim_end());
    fleet.leave_nothing();
}

fn report(what: &str, mut samples: Vec<Duration>) {
    samples.sort_unstable();
    let at = |share: f64| samples[((samples.len() - 1) as f64 * share).round() as usize];
    let count = samples.len();
    println!("{what}: p50 {:.1?}, p99 {:.1?}, max {:.1?} ({count} samples)", at(0.5), at(0.99), at(1.0));
}

/// One member runs all of them, then four share, then all stop.
fn thousand(count: usize) {
    let clock = Clock::boot();
    let begun = clock.now();
    let mut fleet = Fleet::new(count).with_ttl(Duration::from_secs(10));
    fleet.start_running(&SLEEP);
    fleet.await_children(&SLEEP, |counts| counts == [count]);
    println!("{count} shards of sleep started on one member: {:.1?}", clock.now().since(begun));
    for (name, pid) in fleet.members[0].processes() {
        println!("  memory of its {name}: {}", memory(pid));
    }
    let begun = clock.now();
    (0..3).for_each(|_| fleet.start_running(&SLEEP));
    fleet.await_children(&SLEEP, |counts| counts.iter().all(|of| of.abs_diff(count / 4) <= 1));
    println!("spread over four members: {:.1?}", clock.now().since(begun));
    let begun = clock.now();
    for member in fleet.members.iter().take(3) {
        member.signal(Signal::TERM);
    }
    for member in fleet.members.iter_mut().take(3) {
        assert!(member.end().success(), "a member left");
    }
    fleet.await_children(&SLEEP, |counts| counts[3] == count);
    println!("back to one member: {:.1?}", clock.now().since(begun));
    let begun = clock.now();
    fleet.leave_nothing();
    println!("stopped, with nothing left: {:.1?}", clock.now().since(begun));
}

/// The memory that a process has, and the part that is its own.
fn memory(process: Pid) -> String {
    let path = format!("/proc/{}/smaps_rollup", process.as_raw_nonzero());
    let text = std::fs::read_to_string(path).unwrap();
    let of = |name: &str| -> u64 {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_ascii_whitespace().nth(1).unwrap().parse().unwrap()
    };
    let own = of("Private_Clean:") + of("Private_Dirty:");
    format!("{:.1} MB, {:.1} MB of it its own", of("Rss:") as f64 / 1024.0, own as f64 / 1024.0)
}
