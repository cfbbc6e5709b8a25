//! Takes a journal over for another lineage (J8): an operator's word, after a cluster was founded anew.
//!
//! ```text
//!  open it, whatever its lineage; the fence is an adoption, which names both ─► replace the head: the new lineage, no epoch
//!   ▲                                                                                 │ the version is another, or no answer came
//!   └─────────────────────────────────────────────────────────────────────────────────┘
//! ```
//! From the adoption on, owners of the old lineage find their next number taken, and openers of it find a foreign entry. Owners of the
//! new lineage open it once the head says so. If this ends in between, nobody opens it until it is done again.

use crate::ids::{Epoch, Lineage};
use crate::journal::fault::Fault;
use crate::journal::head::Head;
use crate::journal::rules::Rules;

use super::{Answer, Ask, Opening, Shelf};

/// A conversation that takes a journal over.
#[derive(Clone, Debug)]
pub struct Adopting<K: Shelf> {
    rules: Rules,
    lineage: Lineage,
    opening: Opening<K>,
    /// The lineage that the head named when it was first read.
    had: Option<Lineage>,
    phase: Phase<K::Version>,
}

#[derive(Clone, Debug)]
enum Phase<V> {
    Looking,
    Opening,
    Heading(V, Head),
    Done(Adopted),
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Adopted {
    /// It goes on under the new lineage.
    From(Lineage),
    /// It was the new lineage's already.
    Already,
    /// There is no journal.
    Absent,
}

impl<K: Shelf> Adopting<K> {
    /// Takes the journal over for `lineage`.
    pub fn new(rules: Rules, lineage: Lineage) -> Self {
        let opening = Opening::adopting(rules, lineage);
        Self { rules, lineage, opening, had: None, phase: Phase::Looking }
    }

    /// What to ask the store; `None` once it is done.
    pub fn ask(&self) -> Option<Ask<K::Version>> {
        match &self.phase {
            Phase::Looking => Some(Ask::ReadHead),
            Phase::Opening => self.opening.ask(),
            Phase::Heading(version, was) => {
                let head = Head { lineage: self.lineage, epoch: Epoch(0), ..was.clone() };
                Some(Ask::ReplaceHead(Some(version.clone()), head))
            }
            Phase::Done(_) => None,
        }
    }

    /// The lineage that is taken over, as far as was read: an adoption that is to be created says so.
    pub fn from(&self) -> Lineage {
        self.opening.in_force()
    }

    /// What came of it.
    pub fn done(&self) -> Option<Adopted> {
        match self.phase {
            Phase::Done(adopted) => Some(adopted),
            Phase::Looking | Phase::Opening | Phase::Heading(..) => None,
        }
    }

    /// Takes the answer to what was asked.
    pub fn handle(&mut self, answer: Answer<K>) -> Result<(), Fault> {
        self.phase = match (&self.phase, answer) {
            (Phase::Looking, Answer::Unsure) => Phase::Looking,
            (Phase::Looking, Answer::Absent) => Phase::Done(Adopted::Absent),
            (Phase::Looking | Phase::Opening, Answer::Head(_, head)) if head.lineage == self.lineage => {
                // A head that we sent and heard nothing of may have landed.
                Phase::Done(self.had.map_or(Adopted::Already, Adopted::From))
            }
            (Phase::Looking, Answer::Head(_, head)) => {
                self.had.get_or_insert(head.lineage);
                self.opening = Opening::adopting(self.rules, self.lineage);
                Phase::Opening
            }
            (Phase::Opening, answer) => {
                self.opening.handle(answer)?;
                self.opening
                    .head_if_open()
                    .map_or(Phase::Opening, |(version, head)| Phase::Heading(version, head))
            }
            (Phase::Heading(_, was), Answer::Stored(_)) => Phase::Done(Adopted::From(was.lineage)),
            (Phase::Heading(..), Answer::Refused | Answer::Unsure) => Phase::Looking,
            (phase, answer) => unreachable!("{answer:?} is no answer in {phase:?}"),
        };
        Ok(())
    }
}
