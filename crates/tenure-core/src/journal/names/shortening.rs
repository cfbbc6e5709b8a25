//! Replaces the entries up to one by a snapshot (J4–J6), beside appends.
//!
//! ```text
//!  create the snapshot ─► replace the head ─► remove what the head left behind, but never a fence
//!                               │ the version is another, or no answer came
//!                               └► read the head: it names ours; or a later one, and ours is dropped; or try again
//! ```
//! A snapshot of a deposed owner is the fold of a true beginning, and does no harm. So the head needs no fence, only its version.

use std::collections::BTreeSet;

use crate::journal::author::Seq;
use crate::journal::fault::{Damage, Fault};
use crate::journal::head::{Head, SnapshotFacts, SnapshotName};
use crate::journal::rules::Rules;

use super::{Answer, Ask, Leftover, Shelf};

/// A conversation that shortens a journal.
#[derive(Clone, Debug, Hash)]
pub struct Shortening<K: Shelf> {
    rules: Rules,
    name: SnapshotName,
    /// The head that is to be replaced.
    was: (K::Version, Head),
    fences: BTreeSet<Seq>,
    /// The version of our own head.
    now: Option<K::Version>,
    snapshots: Vec<SnapshotName>,
    facts: Option<SnapshotFacts>,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Storing,
    Heading,
    Looking,
    Listing,
    Removing,
    Done(Shortened),
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shortened {
    /// The head names our snapshot, and what it left behind is removed.
    Cleared,
    /// The head names our snapshot; what it left behind may still be there, and is removed the next time.
    Left,
    /// The head names a later one.
    Dropped,
}

impl<K: Shelf> Shortening<K> {
    /// Lets the snapshot `name` stand for all entries up to its own. `was` is the head as last seen, `fences` are the numbers of all
    /// fences up to there.
    pub fn new(
        rules: Rules,
        name: SnapshotName,
        was: (K::Version, Head),
        fences: impl IntoIterator<Item = Seq>,
    ) -> Self {
        let (fences, now, snapshots, facts) = (fences.into_iter().collect(), None, Vec::new(), None);
        Self { rules, name, was, fences, now, snapshots, facts, phase: Phase::Storing }
    }

    /// The head is to say this of the snapshot.
    #[must_use]
    pub fn telling(self, facts: SnapshotFacts) -> Self {
        Self { facts: Some(facts), ..self }
    }

    /// What to ask the store; `None` once it is done.
    pub fn ask(&self) -> Option<Ask<K::Version>> {
        match self.phase {
            Phase::Storing => Some(Ask::CreateSnapshot(self.name)),
            Phase::Heading => {
                let version = self.rules.condition(self.was.0.clone());
                Some(Ask::ReplaceHead(version, self.head()))
            }
            Phase::Looking => Some(Ask::ReadHead),
            Phase::Listing => Some(Ask::ListSnapshots),
            Phase::Removing => Some(Ask::Remove(self.leftovers())),
            Phase::Done(_) => None,
        }
    }

    /// What came of it, and the head as last seen.
    pub fn done(&self) -> Option<(Shortened, (K::Version, Head))> {
        match self.phase {
            Phase::Done(Shortened::Dropped) => Some((Shortened::Dropped, self.was.clone())),
            Phase::Done(outcome) => {
                let cleared =
                    if outcome == Shortened::Cleared { self.head().start } else { self.was.1.cleared };
                Some((outcome, (self.now.clone()?, Head { cleared, ..self.head() })))
            }
            _ => None,
        }
    }

    /// Takes the answer to what was asked.
    pub fn handle(&mut self, answer: Answer<K>) -> Result<(), Fault> {
        self.phase = match (self.phase, answer) {
            // A name is used once: whatever stands there is ours.
            (Phase::Storing, Answer::Stored(_) | Answer::Refused) => self.stored(),
            (Phase::Storing, Answer::Unsure) if !self.rules.head_waits_for_the_snapshot() => self.stored(),
            (Phase::Storing, Answer::Unsure) => Phase::Storing,
            (Phase::Heading, Answer::Stored(version)) => {
                self.now = version;
                if self.rules.removes_after_the_head() {
                    Phase::Listing
                } else {
                    Phase::Done(Shortened::Cleared)
                }
            }
            (Phase::Heading, Answer::Refused | Answer::Unsure) => Phase::Looking,
            (Phase::Looking, Answer::Head(version, head)) => self.look(version, head)?,
            (Phase::Looking, Answer::Absent) => return Err(Fault::Damaged(Damage::HeadGone)),
            (Phase::Looking, Answer::Unsure) => Phase::Looking,
            (Phase::Listing, Answer::Snapshots(names)) => {
                self.snapshots = names;
                Phase::Removing
            }
            (Phase::Listing, Answer::Unsure) => Phase::Removing,
            (Phase::Removing, _) if self.now.is_none() => Phase::Heading,
            (Phase::Removing, Answer::Stored(_)) => Phase::Done(Shortened::Cleared),
            (Phase::Removing, Answer::Refused | Answer::Unsure) => Phase::Done(Shortened::Left),
            (phase, answer) => unreachable!("{answer:?} is no answer in {phase:?}"),
        };
        Ok(())
    }

    fn stored(&self) -> Phase {
        if self.rules.removes_after_the_head() { Phase::Heading } else { Phase::Listing }
    }

    /// The head as we want it.
    fn head(&self) -> Head {
        let (_, was) = &self.was;
        let epoch = self.rules.epoch_of_head(self.name.epoch.max(was.epoch));
        let (start, snapshot) = (self.name.upto.next(), Some(self.name));
        Head { lineage: was.lineage, start, epoch, snapshot, cleared: was.cleared, facts: self.facts }
    }

    fn look(&mut self, version: K::Version, head: Head) -> Result<Phase, Fault> {
        if head.lineage != self.was.1.lineage {
            return Err(Fault::Foreign(head.lineage));
        }
        if head.snapshot == Some(self.name) {
            self.now = Some(version);
            return Ok(Phase::Listing);
        }
        if head.start < self.was.1.start {
            return Err(Fault::WentBack { was: self.was.1.start, now: head.start });
        }
        let later = head.start > self.name.upto;
        self.was = (version, head);
        Ok(if later { Phase::Done(Shortened::Dropped) } else { Phase::Heading })
    }

    fn leftovers(&self) -> Vec<Leftover> {
        let start = self.name.upto.next();
        let entries = self.was.1.cleared.until(start.next());
        let entries = entries.filter(|seq| self.rules.may_remove(*seq, start, self.fences.contains(seq)));
        let snapshots = self.snapshots.iter().copied();
        let snapshots = snapshots.filter(|name| self.rules.may_remove_snapshot(*name, self.name));
        entries.map(Leftover::Entry).chain(snapshots.map(Leftover::Snapshot)).collect()
    }
}
