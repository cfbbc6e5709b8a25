//! Appends one entry (J3): creates its name, and settles by reading it whatever is uncertain.
//!
//! A number has one entry for ever. So the same entry may be sent again and again, and another one never: what stands under the
//! number is this entry, or somebody else's, and then this start of work is over.

use crate::journal::author::Seq;
use crate::journal::fault::Fault;
use crate::journal::rules::Rules;

use super::{Answer, Ask, Shelf, Stored};

/// A conversation that appends an entry.
#[derive(Clone, Debug, Hash)]
pub struct Appending<K: Shelf> {
    rules: Rules,
    seq: Seq,
    entry: K::Entry,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Creating,
    Looking,
    Done,
}

impl<K: Shelf> Appending<K> {
    /// Appends `entry` under `seq`, the number after the last one that this start of work stored or read.
    pub fn new(rules: Rules, seq: Seq, entry: K::Entry) -> Self {
        Self { rules, seq, entry, phase: Phase::Creating }
    }

    /// The number.
    pub fn seq(&self) -> Seq {
        self.seq
    }

    /// What is appended.
    pub fn entry(&self) -> &K::Entry {
        &self.entry
    }

    /// What to ask the store; `None` once it is stored.
    pub fn ask(&self) -> Option<Ask<K::Version>> {
        match self.phase {
            Phase::Creating => Some(Ask::CreateEntry(self.seq)),
            Phase::Looking => Some(Ask::ReadEntry(self.seq)),
            Phase::Done => None,
        }
    }

    /// Takes the answer to what was asked.
    pub fn handle(&mut self, answer: Answer<K>) -> Result<(), Fault> {
        self.phase = match (self.phase, answer) {
            (Phase::Creating, Answer::Stored(_)) => Phase::Done,
            (Phase::Creating, Answer::Refused) if self.rules.conflict_counts() => Phase::Done,
            (Phase::Creating, Answer::Unsure) if self.rules.silence_counts() => Phase::Done,
            (Phase::Creating, Answer::Refused | Answer::Unsure) => Phase::Looking,
            (Phase::Looking, Answer::Unsure) => Phase::Looking,
            (Phase::Looking, Answer::Absent) => Phase::Creating,
            (Phase::Looking, Answer::Entry(found)) => {
                let (ours, theirs) = (self.entry.author(), found.author());
                match self.rules.is_same_attempt(found == self.entry, ours, theirs) {
                    true => Phase::Done,
                    false if theirs.lineage != ours.lineage => return Err(Fault::Foreign(theirs.lineage)),
                    false => return Err(Fault::Fenced(theirs.epoch)),
                }
            }
            (phase, answer) => unreachable!("{answer:?} is no answer in {phase:?}"),
        };
        Ok(())
    }
}
