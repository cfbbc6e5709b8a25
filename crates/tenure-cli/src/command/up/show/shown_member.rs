//! One member, as the show knows it: its process, and its lease as the others count it.

use std::time::Duration;

use tenure::MemberId;
use tenure_dashboard::view::Mark;

use super::super::cluster_view::{Lease, Standing};
use super::{Blow, End};

/// Short names, each with a letter of its own.
const NAMES: [&str; 26] = [
    "ada", "ben", "cleo", "dan", "eve", "finn", "gus", "hana", "ivan", "june", "kim", "lou", "mia", "ned",
    "ora", "pia", "quin", "rosa", "sam", "tess", "uma", "vera", "will", "xena", "yuki", "zoe",
];

/// What a process is up to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ProcessState {
    /// It runs.
    Running,
    /// It was frozen.
    Frozen,
    /// It runs, and reaches the store no more.
    Cut,
    /// It was killed; the system has yet to say so.
    Struck,
    /// It ended.
    Ended(End),
}

/// A lease, and when it was last renewed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    lease: Lease,
    at: Duration,
}

/// One member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShownMember {
    /// Its name.
    pub(crate) id: MemberId,
    /// How it looks: here as on the page.
    pub(crate) mark: Mark,
    /// The key that selects it, counted from 1: its own for as long as it is in view.
    pub(crate) key: usize,
    /// What its process is up to.
    pub(crate) process: ProcessState,
    /// When that began.
    pub(crate) since: Duration,
    /// How many shards it may act for.
    pub(crate) holds: usize,
    seen: Option<Seen>,
}

impl ShownMember {
    pub(super) fn new(id: MemberId, mark: Mark, key: usize, at: Duration) -> Self {
        Self { id, mark, key, process: ProcessState::Running, since: at, holds: 0, seen: None }
    }

    /// The letter that stands for it.
    pub(crate) fn letter(&self) -> char {
        self.mark.letter.chars().next().unwrap_or('?')
    }

    /// Whether its process has not ended.
    pub(crate) fn is_alive(&self) -> bool {
        !matches!(self.process, ProcessState::Ended(_) | ProcessState::Struck)
    }

    /// Whether its process does something.
    pub(crate) fn is_running(&self) -> bool {
        matches!(self.process, ProcessState::Running | ProcessState::Cut)
    }

    /// Why this can't be done to it now.
    pub(crate) fn why_not(&self, blow: Blow) -> Option<&'static str> {
        match (&self.process, blow) {
            (ProcessState::Ended(_) | ProcessState::Struck, _) => Some("has ended; add another with a"),
            (ProcessState::Frozen, Blow::Freeze) => Some("is frozen already; thaw it with t"),
            (ProcessState::Frozen, Blow::Stop) => Some("is frozen and can't leave; thaw it first with t"),
            (ProcessState::Frozen, Blow::Cut | Blow::Mend) => Some("is frozen; thaw it first with t"),
            (ProcessState::Cut, Blow::Cut) => Some("is cut off already; mend it first"),
            (ProcessState::Cut, Blow::Stop) => Some("is cut off and can't leave; mend it first"),
            (ProcessState::Cut, Blow::Freeze) => Some("is cut off; mend it first"),
            (ProcessState::Running | ProcessState::Cut, Blow::Thaw) => Some("is not frozen"),
            (ProcessState::Running, Blow::Mend) => Some("is not cut off"),
            (ProcessState::Running | ProcessState::Frozen | ProcessState::Cut, _) => None,
        }
    }

    pub(super) fn turn(&mut self, process: ProcessState, at: Duration) {
        self.process = process;
        self.since = at;
    }

    pub(super) fn feel(&mut self, blow: Blow, at: Duration) {
        match blow {
            Blow::Kill => self.turn(ProcessState::Struck, at),
            Blow::Freeze => self.turn(ProcessState::Frozen, at),
            Blow::Thaw | Blow::Mend => self.turn(ProcessState::Running, at),
            Blow::Cut => self.turn(ProcessState::Cut, at),
            Blow::Stop => {}
        }
    }

    /// Takes its record; tells what was known before.
    pub(super) fn renew(&mut self, lease: &Lease, at: Duration) -> Option<Lease> {
        let seen = Seen { lease: lease.clone(), at: at.saturating_sub(lease.age) };
        self.seen.replace(seen).map(|seen| seen.lease)
    }

    /// Whether its record is a living lease.
    pub(crate) fn has_lease(&self) -> bool {
        self.seen.as_ref().is_some_and(|seen| seen.lease.standing.is_open())
    }

    /// How much of its lease is left, as the others count: when nothing is left it may be deposed.
    pub(crate) fn lease_left(&self, now: Duration, ttl: Duration) -> Option<Duration> {
        let seen = self.seen.as_ref().filter(|seen| seen.lease.standing.is_open())?;
        Some((seen.at + ttl).saturating_sub(now))
    }

    /// What it is, in a word or two.
    pub(crate) fn state(&self) -> &'static str {
        let record = self.seen.as_ref().map(|seen| seen.lease.standing);
        match (&self.process, record) {
            (ProcessState::Ended(End::Left), _) => "left",
            (ProcessState::Ended(End::Killed) | ProcessState::Struck, _) => "killed",
            (ProcessState::Ended(End::Failed(_)), _) => "failed",
            (ProcessState::Frozen, Some(Standing::Gone | Standing::Deposed)) => "frozen, deposed",
            (ProcessState::Frozen, _) => "frozen",
            (ProcessState::Cut, Some(Standing::Gone | Standing::Deposed)) => "cut, deposed",
            (ProcessState::Cut, _) => "cut off",
            (ProcessState::Running, None) => "joining",
            (ProcessState::Running, Some(Standing::Active)) => "active",
            (ProcessState::Running, Some(Standing::Leaving)) => "leaving",
            (ProcessState::Running, Some(Standing::Gone | Standing::Deposed)) => "joining again",
        }
    }
}

/// The name of the member that was started as number `index`, counted from 0. After Zoe comes Ada 2.
pub(crate) fn name(index: usize) -> MemberId {
    let (round, name) = (index / NAMES.len() + 1, NAMES[index % NAMES.len()]);
    let name = if round == 1 { name.to_owned() } else { format!("{name}{round}") };
    name.parse().expect("letters and digits are a name")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_is_used_before_one_is_used_again() {
        let letters: std::collections::BTreeSet<u8> =
            (0..26).map(|index| name(index).as_str().as_bytes()[0]).collect();
        assert_eq!(letters.len(), 26);
        assert_eq!((name(0).as_str(), name(27).as_str()), ("ada", "ben2"));
    }
}
