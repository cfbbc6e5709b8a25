//! One start of work: the shipped machines, and how much it still wants to do.

use tenure_core::ids::Lineage;
use tenure_core::journal::names::{Answer, Appending, Ask, Opening, Shortening};
use tenure_core::journal::{Author, Fault, Flaw, Head, Rules, Seq, SnapshotName};

use super::store::{Store, Toy, ToySnapshot, Write};
use crate::journal::history::{Batch, Fold, ToyEntry};
use crate::journal::owner::{Ended, Wants};
use crate::journal::promise::Promise;

/// Which of an owner's conversations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Talk {
    /// It opens the journal.
    Opening,
    /// It appends an entry.
    Appending,
    /// It lets a snapshot stand for entries.
    Shortening,
}

/// One start of work.
#[derive(Clone, Debug, Hash)]
pub(super) struct Owner {
    pub(super) author: Author,
    rules: Rules,
    /// It reads ahead, and may not act yet.
    is_heir: bool,
    opening: Option<Opening<Toy>>,
    acting: Option<Acting>,
    /// Which conversations wait for an answer to a write.
    pub(super) waiting: [bool; 3],
    pub(super) wants: Wants,
    pub(super) ended: Option<Ended>,
    /// How many appends were acknowledged.
    pub(super) acknowledged: u16,
}

#[derive(Clone, Debug, Hash)]
struct Acting {
    next: Seq,
    state: Fold,
    fences: Vec<Seq>,
    head: (u16, Head),
    appending: Option<Appending<Toy>>,
    shortening: Option<(Shortening<Toy>, ToySnapshot)>,
}

impl Owner {
    pub(super) fn new(rules: Rules, author: Author, wants: Wants) -> Self {
        let opening = Some(Opening::new(rules, author));
        let (acting, waiting, ended) = (None, [false; 3], None);
        Self { author, rules, is_heir: false, opening, acting, waiting, wants, ended, acknowledged: 0 }
    }

    /// One that reads ahead until it is its turn.
    pub(super) fn heir(rules: Rules, author: Author, wants: Wants) -> Self {
        let opening = Some(Opening::ahead(rules, author.lineage));
        Self { is_heir: true, opening, ..Self::new(rules, author, wants) }
    }

    pub(super) fn may_claim(&self) -> bool {
        self.is_heir && self.ended.is_none()
    }

    /// It is its turn.
    pub(super) fn claim(&mut self, store: &Store) -> Result<(), Promise> {
        self.is_heir = false;
        let told = self.opening.as_mut().map(|machine| machine.claim(self.author));
        self.conclude(told, store)
    }

    /// Shows a listing to whoever reads the entries.
    pub(super) fn list(&mut self, last: Option<Seq>) {
        let Some(machine) = self.opening.as_mut().filter(|machine| machine.reads_from().is_some()) else {
            return;
        };
        // The driver lists the names after those that were read.
        if let Some(last) = last.filter(|last| machine.reads_from().is_some_and(|from| *last >= from)) {
            machine.listed(last);
        }
    }

    /// What a conversation asks now, if it does not wait.
    pub(super) fn ask(&self, talk: Talk) -> Option<Ask<u16>> {
        if self.waiting[talk as usize] {
            return None;
        }
        match talk {
            Talk::Opening => self.opening.as_ref()?.ask(),
            Talk::Appending => self.acting.as_ref()?.appending.as_ref()?.ask(),
            Talk::Shortening => self.acting.as_ref()?.shortening.as_ref()?.0.ask(),
        }
    }

    /// The write that an ask stands for; `None` if it is a read.
    pub(super) fn write(&self, ask: &Ask<u16>) -> Option<Write> {
        let key = |head: &Head| (head.start, head.epoch.0, head.snapshot, head.cleared);
        match ask {
            Ask::CreateHead(head) => Some(Write::CreateHead(key(head))),
            Ask::ReplaceHead(version, head) => Some(Write::ReplaceHead(*version, key(head))),
            Ask::CreateFence(seq) => {
                Some(Write::CreateEntry(*seq, ToyEntry { author: self.author, batch: None }))
            }
            Ask::CreateEntry(seq) => {
                let entry = self.acting.as_ref()?.appending.as_ref()?.entry();
                Some(Write::CreateEntry(*seq, *entry))
            }
            Ask::CreateSnapshot(name) => {
                let (_, snapshot) = self.acting.as_ref()?.shortening.as_ref()?;
                Some(Write::CreateSnapshot(*name, snapshot.clone()))
            }
            Ask::ReadHead
            | Ask::ReadSnapshot(_)
            | Ask::ReadEntry(_)
            | Ask::ListSnapshots
            | Ask::Remove(_) => None,
        }
    }

    /// The number of the next append, if one may begin.
    pub(super) fn next(&self) -> Option<Seq> {
        let acting = self.acting.as_ref()?;
        acting.appending.is_none().then_some(acting.next)
    }

    /// Whether it may begin to shorten.
    pub(super) fn may_shorten(&self) -> bool {
        let free = |acting: &Acting| acting.shortening.is_none() && acting.next > acting.head.1.start;
        self.wants.snapshots > 0 && self.acting.as_ref().is_some_and(free)
    }

    pub(super) fn append(&mut self, batch: Batch) {
        let Some(acting) = &mut self.acting else { return };
        let entry = ToyEntry { author: self.author, batch: Some(batch) };
        acting.appending = Some(Appending::new(self.rules, acting.next, entry));
    }

    pub(super) fn shorten(&mut self) {
        let Some(acting) = &mut self.acting else { return };
        self.wants.snapshots -= 1;
        let upto = acting.next.before();
        let name = SnapshotName { upto, epoch: self.author.epoch, run: self.author.run };
        let fences: Vec<Seq> = acting.fences.iter().copied().filter(|seq| *seq <= upto).collect();
        let machine = Shortening::new(self.rules, name, acting.head.clone(), fences.iter().copied());
        acting.shortening = Some((machine, ToySnapshot { fences, state: acting.state }));
    }

    /// Tells a conversation its answer.
    pub(super) fn handle(
        &mut self,
        talk: Talk,
        answer: Result<Answer<Toy>, Fault>,
        store: &Store,
    ) -> Result<(), Promise> {
        self.waiting[talk as usize] = false;
        let told = match (talk, answer) {
            (_, Err(fault)) => Some(Err(fault)),
            (Talk::Opening, Ok(answer)) => self.opening.as_mut().map(|machine| machine.handle(answer)),
            (Talk::Appending, Ok(answer)) => self.told_of_append(answer),
            (Talk::Shortening, Ok(answer)) => {
                let machine = self.acting.as_mut().and_then(|acting| acting.shortening.as_mut());
                machine.map(|(machine, _)| machine.handle(answer))
            }
        };
        self.conclude(told, store)
    }

    fn conclude(&mut self, told: Option<Result<(), Fault>>, store: &Store) -> Result<(), Promise> {
        if let Some(Err(fault)) = told {
            let is_alarm = match fault {
                Fault::Fenced(_) => false,
                Fault::Foreign(lineage) => lineage == self.author.lineage,
                Fault::Damaged(_) | Fault::WentBack { .. } => true,
            };
            self.end(Ended::of(&fault));
            return if is_alarm && !store.is_damaged { Err(Promise::NoFalseAlarm) } else { Ok(()) };
        }
        self.settle(store)
    }

    fn told_of_append(&mut self, answer: Answer<Toy>) -> Option<Result<(), Fault>> {
        let machine = self.acting.as_mut()?.appending.as_mut()?;
        let looked = matches!(answer, Answer::Absent);
        let told = machine.handle(answer);
        if looked && self.rules.has(Flaw::OtherBytes) {
            let batch = machine.entry().batch.map(|batch| Batch { first: batch.first ^ 0x80, ..batch });
            *machine = Appending::new(self.rules, machine.seq(), ToyEntry { batch, ..*machine.entry() });
        }
        Some(told)
    }

    /// It does nothing more.
    pub(super) fn end(&mut self, ended: Ended) {
        (self.opening, self.acting, self.waiting) = (None, None, [false; 3]);
        (self.wants, self.ended) = (Wants::default(), Some(ended));
    }

    /// Whether it has opened the journal.
    pub(super) fn is_acting(&self) -> bool {
        self.acting.is_some()
    }

    /// Takes over what a conversation came to.
    fn settle(&mut self, store: &Store) -> Result<(), Promise> {
        if !self.is_heir && self.opening.as_ref().is_some_and(|machine| machine.ask().is_none()) {
            let opened = self.opening.take().and_then(Opening::opened).expect("it asks nothing more");
            let kept = opened.snapshot.map_or_else(Fold::default, |snapshot| snapshot.state);
            let (next, state) = (opened.next, kept.after(&opened.tail));
            let (fences, head) = (opened.fences, opened.head);
            self.acting = Some(Acting { next, state, fences, head, appending: None, shortening: None });
            self.check(store)?;
        }
        self.settle_append(store)?;
        let Some(acting) = &mut self.acting else { return Ok(()) };
        let done = acting.shortening.take_if(|(machine, _)| machine.ask().is_none());
        if let Some((_, head)) = done.and_then(|(machine, _)| machine.done()) {
            acting.head = head;
        }
        Ok(())
    }

    fn settle_append(&mut self, store: &Store) -> Result<(), Promise> {
        let Some(acting) = &mut self.acting else { return Ok(()) };
        let Some(machine) = acting.appending.take_if(|machine| machine.ask().is_none()) else {
            return Ok(());
        };
        acting.state = acting.state.then(machine.entry());
        acting.next = machine.seq().next();
        self.acknowledged += 1;
        if !store.is_damaged {
            store.history.judge_acknowledged(machine.seq(), machine.entry())?;
        }
        self.check(store)
    }

    fn check(&self, store: &Store) -> Result<(), Promise> {
        match &self.acting {
            Some(acting) if !store.is_damaged => store.history.judge_state(acting.next, acting.state),
            Some(_) | None => Ok(()),
        }
    }
}

/// The cluster of all owners.
pub(super) const LINEAGE: Lineage = crate::journal::owner::LINEAGE;
