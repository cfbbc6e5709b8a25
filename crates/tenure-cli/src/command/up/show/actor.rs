//! One member, as the show knows it: its process, and its lease as the others count it.

use std::time::Duration;

use tenure::MemberId;
use tenure_dashboard::view::Mark;

use super::super::sight::{Lease, Standing};
use super::{Blow, End};

/// What a process is up to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Plight {
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
pub(crate) struct Actor {
    /// Its name.
    pub(crate) id: MemberId,
    /// How it looks: here as on the page.
    pub(crate) mark: Mark,
    /// The key that selects it, counted from 1: its own for as long as it is in view.
    pub(crate) key: usize,
    /// What its process is up to.
    pub(crate) plight: Plight,
    /// When that began.
    pub(crate) since: Duration,
    /// How many shards it may act for.
    pub(crate) holds: usize,
    seen: Option<Seen>,
}

impl Actor {
    pub(super) fn new(id: MemberId, mark: Mark, key: usize, at: Duration) -> Self {
        Self { id, mark, key, plight: Plight::Running, since: at, holds: 0, seen: None }
    }

    /// The letter that stands for it.
    pub(crate) fn letter(&self) -> char {
        self.mark.letter.chars().next().unwrap_or('?')
    }

    /// Whether its process has not ended.
    pub(crate) fn is_alive(&self) -> bool {
        !matches!(self.plight, Plight::Ended(_) | Plight::Struck)
    }

    /// Whether its process does something.
    pub(crate) fn is_running(&self) -> bool {
        matches!(self.plight, Plight::Running | Plight::Cut)
    }

    /// Why this can't be done to it now.
    pub(crate) fn why_not(&self, blow: Blow) -> Option<&'static str> {
        match (&self.plight, blow) {
            (Plight::Ended(_) | Plight::Struck, _) => Some("has ended; add another with a"),
            (Plight::Frozen, Blow::Freeze) => Some("is frozen already; thaw it with t"),
            (Plight::Frozen, Blow::Stop) => Some("is frozen and can't leave; thaw it first with t"),
            (Plight::Frozen, Blow::Cut | Blow::Mend) => Some("is frozen; thaw it first with t"),
            (Plight::Cut, Blow::Cut) => Some("is cut off already; mend it first"),
            (Plight::Cut, Blow::Stop) => Some("is cut off and can't leave; mend it first"),
            (Plight::Cut, Blow::Freeze) => Some("is cut off; mend it first"),
            (Plight::Running | Plight::Cut, Blow::Thaw) => Some("is not frozen"),
            (Plight::Running, Blow::Mend) => Some("is not cut off"),
            (Plight::Running | Plight::Frozen | Plight::Cut, _) => None,
        }
    }

    pub(super) fn turn(&mut self, plight: Plight, at: Duration) {
        self.plight = plight;
        self.since = at;
    }

    pub(super) fn feel(&mut self, blow: Blow, at: Duration) {
        match blow {
            Blow::Kill => self.turn(Plight::Struck, at),
            Blow::Freeze => self.turn(Plight::Frozen, at),
            Blow::Thaw | Blow::Mend => self.turn(Plight::Running, at),
            Blow::Cut => self.turn(Plight::Cut, at),
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
        match (&self.plight, record) {
            (Plight::Ended(End::Left), _) => "left",
            (Plight::Ended(End::Killed) | Plight::Struck, _) => "killed",
            (Plight::Ended(End::Failed(_)), _) => "failed",
            (Plight::Frozen, Some(Standing::Gone | Standing::Deposed)) => "frozen, deposed",
            (Plight::Frozen, _) => "frozen",
            (Plight::Cut, Some(Standing::Gone | Standing::Deposed)) => "cut, deposed",
            (Plight::Cut, _) => "cut off",
            (Plight::Running, None) => "joining",
            (Plight::Running, Some(Standing::Active)) => "active",
            (Plight::Running, Some(Standing::Leaving)) => "leaving",
            (Plight::Running, Some(Standing::Gone | Standing::Deposed)) => "joining again",
        }
    }
}
