//! Opens a journal (J2): reads what is there, and puts a fence after it.
//!
//! ```text
//!  (a) head ─► (b) snapshot ─► (c) entries up to the first that is absent ─► (d) a fence there ─► (e) head: same start? ─► open
//!   ▲                                       ▲  the number is taken: read on │                          │ no
//!   └───────────────────────────────────────┴──────────────────────────────┴──────────────────────────┘
//! ```
//! If the start is the same at (e) as at (a), no name from it on was removed in between: what was read is the history, and the fence
//! stands right after it. Nothing weaker will do: a late fence of a third owner may stand where an entry was truncated.
//!
//! Entries of another lineage may stand before an adoption, which names both. Their epochs say nothing about ours. [`Adopting`](super::Adopting) opens
//! for an operator: whatever the lineage is, an adoption is the fence.
//!
//! An heir may do (a) to (c) before it is its turn ([`Opening::ahead`]); [`Opening::claim`] goes on from there.

use crate::ids::Lineage;
use crate::journal::author::{Author, Seq};
use crate::journal::fault::{Damage, Fault};
use crate::journal::head::Head;
use crate::journal::rules::Rules;

use super::{Answer, Ask, Shelf, Stored};

/// A conversation that opens a journal.
#[derive(Clone, Debug, Hash)]
pub struct Opening<K: Shelf> {
    rules: Rules,
    lineage: Lineage,
    /// Who opens; `None` while it only reads ahead.
    author: Option<Author>,
    /// Whether it takes over what another lineage wrote.
    adopts: bool,
    phase: Phase,
    head: Option<(K::Version, Head)>,
    snapshot: Option<K::Snapshot>,
    tail: Vec<K::Entry>,
    next: Seq,
    /// Where our own fence stands.
    fence: Option<Seq>,
    /// The last entry that a listing showed since the head was read.
    listed: Option<Seq>,
    /// The head whose snapshot was not there.
    lost: Option<K::Version>,
    /// The first entry was there although the head was not.
    begun: bool,
    begun_anew: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Head,
    FirstEntry,
    Founding,
    Snapshot,
    Reading,
    /// All is read; it is not our turn yet.
    Waiting,
    Fencing,
    Looking,
    Checking,
    Done,
}

/// A journal that is open.
#[derive(Clone, Debug)]
pub struct Opened<K: Shelf> {
    /// The number of the first entry to append.
    pub next: Seq,
    /// The head, and its version.
    pub head: (K::Version, Head),
    /// The state before the live entries.
    pub snapshot: Option<K::Snapshot>,
    /// The live entries, without our fence.
    pub tail: Vec<K::Entry>,
    /// The numbers of all fences, ours included.
    pub fences: Vec<Seq>,
}

impl<K: Shelf> Opening<K> {
    /// Opens for `author`.
    pub fn new(rules: Rules, author: Author) -> Self {
        let mut opening = Self::ahead(rules, author.lineage);
        opening.author = Some(author);
        opening
    }

    /// Takes over for `lineage`, whatever the journal's is.
    pub(super) fn adopting(rules: Rules, lineage: Lineage) -> Self {
        let mut opening = Self::new(rules, Author::adopting(lineage));
        opening.adopts = true;
        opening
    }

    /// Reads ahead for a start of work that is to come.
    pub fn ahead(rules: Rules, lineage: Lineage) -> Self {
        let (author, phase, next) = (None, Phase::Head, Seq::FIRST);
        let (head, snapshot, tail, fence, listed, lost) = (None, None, Vec::new(), None, None, None);
        let (adopts, begun, begun_anew) = (false, false, 0);
        Self {
            rules,
            lineage,
            author,
            adopts,
            phase,
            head,
            snapshot,
            tail,
            next,
            fence,
            listed,
            lost,
            begun,
            begun_anew,
        }
    }

    /// It is our turn: goes on with what was read ahead.
    pub fn claim(&mut self, author: Author) -> Result<(), Fault> {
        (self.author, self.lineage) = (Some(author), author.lineage);
        if let Some((_, head)) = &self.head {
            self.judge_head(head)?;
        }
        self.tail.iter().try_for_each(|entry| self.judge(entry))?;
        if self.phase == Phase::Waiting {
            self.phase = if self.head.is_some() { Phase::Reading } else { Phase::Head };
        }
        Ok(())
    }

    /// What to ask the store; `None` if it is open, or waits for its turn.
    pub fn ask(&self) -> Option<Ask<K::Version>> {
        match self.phase {
            Phase::Head | Phase::Checking => Some(Ask::ReadHead),
            Phase::FirstEntry => Some(Ask::ReadEntry(Seq::FIRST)),
            Phase::Founding => Some(Ask::CreateHead(Head::first(self.lineage))),
            Phase::Snapshot => {
                let (_, head) = self.head.as_ref()?;
                head.snapshot.map(Ask::ReadSnapshot)
            }
            Phase::Reading | Phase::Looking => Some(Ask::ReadEntry(self.next)),
            Phase::Fencing => Some(Ask::CreateFence(self.next)),
            Phase::Waiting | Phase::Done => None,
        }
    }

    /// The first entry that has not been read; those from here on may be read before they are asked for, once the head was read.
    pub fn reads_from(&self) -> Option<Seq> {
        (self.phase == Phase::Reading).then_some(self.next)
    }

    /// How often it began anew: what was taken from it before is of no use then.
    pub fn begun_anew(&self) -> u32 {
        self.begun_anew
    }

    /// What was read so far: the state before the live entries, and those.
    pub fn read(&self) -> (Option<&K::Snapshot>, &[K::Entry]) {
        (self.snapshot.as_ref(), &self.tail)
    }

    /// All that was read ahead: the head, the state before the live entries, and those.
    #[expect(clippy::type_complexity, reason = "three things that are taken apart at once")]
    pub fn into_read(self) -> (Option<(K::Version, Head)>, Option<K::Snapshot>, Vec<K::Entry>) {
        (self.head, self.snapshot, self.tail)
    }

    /// A listing that was asked for after the head was read showed this entry. A listing may be old: what it shows was there, what
    /// it does not show may be there too.
    pub fn listed(&mut self, seq: Seq) {
        self.listed = self.listed.max(Some(seq));
    }

    /// Takes the answer to what was asked.
    pub fn handle(&mut self, answer: Answer<K>) -> Result<(), Fault> {
        match (self.phase, answer) {
            // A read that failed says nothing, and is asked again.
            (
                Phase::Head
                | Phase::FirstEntry
                | Phase::Snapshot
                | Phase::Reading
                | Phase::Looking
                | Phase::Checking,
                Answer::Unsure,
            ) => Ok(()),
            (Phase::Head, Answer::Head(version, head)) => self.begin(version, head),
            (Phase::Head, Answer::Absent) => self.without_head(),
            (Phase::FirstEntry, Answer::Entry(_)) => {
                self.begun = true;
                self.go(Phase::Head)
            }
            (Phase::FirstEntry, Answer::Absent) => self.go(Phase::Founding),
            (Phase::Founding, Answer::Stored(_) | Answer::Refused | Answer::Unsure) => self.go(Phase::Head),
            (Phase::Snapshot, Answer::Snapshot(snapshot)) => {
                self.snapshot = Some(snapshot);
                self.go(Phase::Reading)
            }
            (Phase::Snapshot, Answer::Absent) => self.without_snapshot(),
            (Phase::Reading, Answer::Entry(entry)) => self.fold(entry),
            (Phase::Reading, Answer::Absent) => self.all_read(),
            (Phase::Fencing, Answer::Stored(_)) => self.fenced_off(),
            (Phase::Fencing, Answer::Refused | Answer::Unsure) => self.go(Phase::Looking),
            (Phase::Looking, Answer::Entry(entry)) => self.taken(entry),
            (Phase::Looking, Answer::Absent) => self.go(Phase::Head),
            (Phase::Checking, Answer::Head(version, head)) => self.check(version, head),
            (Phase::Checking, Answer::Absent) => self.go(Phase::Head),
            (phase, answer) => unreachable!("{answer:?} is no answer in {phase:?}"),
        }
    }

    /// The head, once it is open.
    pub(super) fn head_if_open(&self) -> Option<(K::Version, Head)> {
        self.head.clone().filter(|_| self.phase == Phase::Done)
    }

    /// The journal, once it is open.
    pub fn opened(self) -> Option<Opened<K>> {
        let fence = self.fence.filter(|_| self.phase == Phase::Done)?;
        let head = self.head?;
        let listed = self.snapshot.as_ref().map_or(&[][..], K::fences).iter().copied();
        let live = head.1.start.until(self.next);
        let read = live.zip(&self.tail).filter(|(_, entry)| entry.is_fence()).map(|(seq, _)| seq);
        let mut fences: Vec<Seq> = listed.chain(read).chain([fence]).collect();
        fences.dedup();
        let next = self.rules.first_after(fence);
        Some(Opened { next, head, snapshot: self.snapshot, tail: self.tail, fences })
    }

    fn go(&mut self, phase: Phase) -> Result<(), Fault> {
        self.phase = phase;
        Ok(())
    }

    /// (a)
    fn begin(&mut self, version: K::Version, head: Head) -> Result<(), Fault> {
        self.judge_head(&head)?;
        self.begun_anew += u32::from(self.head.is_some());
        (self.next, self.fence, self.listed, self.snapshot) = (head.start, None, None, None);
        self.tail.clear();
        let phase = if head.snapshot.is_some() { Phase::Snapshot } else { Phase::Reading };
        self.head = Some((version, head));
        self.go(phase)
    }

    /// A head is made before the first entry, so where there is an entry there was a head.
    fn without_head(&mut self) -> Result<(), Fault> {
        if self.begun || self.head.is_some() {
            return Err(Fault::Damaged(Damage::HeadGone));
        }
        self.go(if self.author.is_some() { Phase::FirstEntry } else { Phase::Waiting })
    }

    /// A later snapshot has replaced it, and the head says so; if the head is the same, it was lost.
    fn without_snapshot(&mut self) -> Result<(), Fault> {
        let version = self.head.as_ref().map(|(version, _)| version.clone());
        if version == self.lost {
            let named = self.head.as_ref().and_then(|(_, head)| head.snapshot);
            return Err(Fault::Damaged(Damage::SnapshotGone(named.map_or(Seq(0), |name| name.upto))));
        }
        self.lost = version;
        self.go(Phase::Head)
    }

    fn judge_head(&self, head: &Head) -> Result<(), Fault> {
        if self.adopts {
            return Ok(());
        }
        if head.lineage != self.lineage {
            return Err(Fault::Foreign(head.lineage));
        }
        match self.author {
            Some(author) if self.rules.head_outranks(author.epoch, head.epoch) => {
                Err(Fault::Fenced(head.epoch))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn judge(&self, entry: &K::Entry) -> Result<(), Fault> {
        let theirs = entry.author();
        match self.author {
            // Another lineage's epochs mean nothing here; whether it may stand there is seen at the end.
            Some(_) if self.adopts || theirs.lineage != self.lineage => Ok(()),
            Some(author) if self.rules.entry_outranks(author.epoch, theirs.epoch) => {
                Err(Fault::Fenced(theirs.epoch))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn is_ours(&self, entry: &K::Entry) -> bool {
        entry.is_fence() && self.author.is_some_and(|author| author == *entry.author())
    }

    /// The lineage that the last entry was written in.
    pub(super) fn in_force(&self) -> Lineage {
        let last = self.tail.last().map(|entry| entry.author().lineage);
        let head = self.head.as_ref().map(|(_, head)| head.lineage);
        last.or(head).unwrap_or(self.lineage)
    }

    /// (c)
    fn fold(&mut self, entry: K::Entry) -> Result<(), Fault> {
        self.judge(&entry)?;
        // Our fence was there already; whoever came after it has ended us.
        if self.fence.is_some() && !self.adopts {
            return Err(Fault::Fenced(entry.author().epoch));
        }
        let ours = self.is_ours(&entry);
        self.fence = ours.then_some(self.next);
        if !ours || self.adopts {
            self.tail.push(entry);
        }
        self.next = self.next.next();
        Ok(())
    }

    /// The end of (c).
    fn all_read(&mut self) -> Result<(), Fault> {
        let fences = self.rules.puts_a_fence();
        if !self.adopts && self.in_force() != self.lineage {
            return Err(Fault::Foreign(self.in_force()));
        }
        match (self.author, self.fence) {
            (None, _) => self.go(Phase::Waiting),
            // Somebody adopted it for the same lineage, and owners have come since.
            (Some(_), None) if self.adopts && self.in_force() == self.lineage => {
                self.fence = Some(self.next.before());
                self.go(Phase::Checking)
            }
            (Some(_), None) if fences => self.go(Phase::Fencing),
            (Some(_), None) => self.fenced_off(),
            (Some(_), Some(_)) => self.go(Phase::Checking),
        }
    }

    /// (d) is done.
    fn fenced_off(&mut self) -> Result<(), Fault> {
        self.fence = Some(self.next);
        self.next = self.next.next();
        self.go(if self.rules.looks_at_the_head_again() { Phase::Checking } else { Phase::Done })
    }

    /// (d) found the number taken.
    fn taken(&mut self, entry: K::Entry) -> Result<(), Fault> {
        if self.is_ours(&entry) {
            return self.fenced_off();
        }
        self.judge(&entry)?;
        if self.rules.folds_what_came_between() {
            self.tail.push(entry);
        }
        self.next = self.next.next();
        self.go(Phase::Reading)
    }

    /// (e)
    fn check(&mut self, version: K::Version, head: Head) -> Result<(), Fault> {
        self.judge_head(&head)?;
        let (seen, fence) = match (&self.head, self.fence) {
            (Some((_, seen)), Some(fence)) => (seen.start, fence),
            (Some(_) | None, _) => return self.begin(version, head),
        };
        if !self.rules.is_unmoved(seen, head.start, fence) {
            return self.begin(version, head);
        }
        self.head = Some((version, head));
        self.check_order(seen)?;
        self.check_listing(fence)?;
        self.go(Phase::Done)
    }

    /// Now that it is known to be the history, nothing in it may be older than what is before it, nor stand after a fence of somebody
    /// else: a fence that was put where an entry had been deleted.
    fn check_order(&self, start: Seq) -> Result<(), Fault> {
        let follows = |before: &K::Entry, after: &K::Entry| {
            let (theirs, next) = (before.author(), after.author());
            match (after.adopts(), after.is_fence()) {
                (Some(from), _) => theirs.lineage == from,
                (None, true) => theirs.lineage == next.lineage && theirs.epoch <= next.epoch,
                (None, false) => theirs == next,
            }
        };
        let pairs = self.tail.iter().zip(self.tail.iter().skip(1));
        let falls = pairs.enumerate().find(|(_, (before, after))| !follows(before, after));
        match falls.map(|(place, _)| place) {
            Some(place) => Err(Fault::Damaged(Damage::OutOfOrder(Seq(start.0 + place as u64 + 1)))),
            None => Ok(()),
        }
    }

    fn check_listing(&self, fence: Seq) -> Result<(), Fault> {
        match self.listed {
            Some(listed) if listed > fence => Err(Fault::Damaged(Damage::EntryGone(fence))),
            Some(_) | None => Ok(()),
        }
    }
}
