//! The kernel's table of processes: who descends from whom, and whether a number still means the same process.
//!
//! A process number is reused after its process is gone. Together with the moment of its start it is unique until the machine
//! restarts, so that is what is kept of a server that must be ended later.

use std::fs;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use serde::{Deserialize, Serialize};

/// A process, told from any later one with the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    pub(crate) pid: i32,
    /// In ticks since the machine started, as the kernel counts.
    pub(crate) started: u64,
}

impl Identity {
    /// The process that has this number now.
    pub(crate) fn of(pid: i32) -> Option<Self> {
        Row::read(pid).map(|entry| Self { pid, started: entry.started })
    }
}

/// Whether that very process is still running; one that ended but was not reaped is not.
pub(crate) fn alive(identity: Identity) -> bool {
    Row::read(identity.pid).is_some_and(|entry| entry.started == identity.started && !entry.ended)
}

/// Sends `signal` to the group that `leader` leads and to all its descendants: some make groups of their own.
pub(crate) fn signal_family(leader: i32, signal: Signal) {
    let family = descendants(leader);
    if let Some(group) = Pid::from_raw(leader) {
        // What is gone already needs no signal.
        let _ = kill_process_group(group, signal);
    }
    for pid in family.into_iter().filter_map(Pid::from_raw) {
        let _ = kill_process(pid, signal);
    }
}

fn descendants(root: i32) -> Vec<i32> {
    let all = entries();
    let mut family = vec![root];
    let mut next = 0;
    while let Some(parent) = family.get(next).copied() {
        family.extend(all.iter().filter(|entry| entry.parent == parent).map(|entry| entry.pid));
        next += 1;
    }
    family.split_off(1)
}

fn entries() -> Vec<Row> {
    let Ok(listed) = fs::read_dir("/proc") else { return Vec::new() };
    let names = listed.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    names.filter_map(Row::read).collect()
}

struct Row {
    pid: i32,
    parent: i32,
    started: u64,
    ended: bool,
}

impl Row {
    fn read(pid: i32) -> Option<Self> {
        Self::parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    /// `pid (name) state parent …`, the start being the 22nd field; the name may hold anything, so it is skipped from behind.
    fn parse(line: &str) -> Option<Self> {
        let (pid, rest) = line.split_once(' ')?;
        let fields: Vec<&str> = rest.rsplit_once(')')?.1.split_whitespace().collect();
        let ended = matches!(*fields.first()?, "Z" | "X");
        let (parent, started) = (fields.get(1)?.parse().ok()?, fields.get(19)?.parse().ok()?);
        Some(Self { pid: pid.parse().ok()?, parent, started, ended })
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::{Identity, Row, alive, descendants};

    #[test]
    fn a_name_with_brackets_and_spaces_is_read() {
        let line = "71 (a) Z (b) S 12 71 71 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4242 0 0\n";
        let entry = Row::parse(line).unwrap();
        assert_eq!((entry.pid, entry.parent, entry.started, entry.ended), (71, 12, 4242, false));
    }

    #[test]
    fn a_process_that_ended_is_not_alive_although_nobody_reaped_it() {
        let mut child = Command::new("cat").stdin(std::process::Stdio::piped()).spawn().unwrap();
        let pid = i32::try_from(child.id()).unwrap();
        let identity = Identity::of(pid).unwrap();
        assert!(alive(identity));
        assert!(descendants(i32::try_from(std::process::id()).unwrap()).contains(&pid));
        assert!(!alive(Identity { started: identity.started + 1, ..identity }));
        child.kill().unwrap();
        while !Row::read(pid).unwrap().ended {
            std::thread::yield_now();
        }
        assert!(!alive(identity));
        child.wait().unwrap();
    }
}
