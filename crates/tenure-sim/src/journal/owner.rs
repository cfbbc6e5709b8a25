//! One start of work: the shipped machines, and how much it still wants to do.

use tenure_core::ids::{Epoch, Lineage};
use tenure_core::journal::names::{Answer, Appending, Ask, Opening, Shortening};
use tenure_core::journal::{Author, Fault, Rules, Run, Seq, SnapshotName};

use super::promise::Promise;
use super::store::{Store, Toy, ToyEntry, Write};

pub(super) const LINEAGE: Lineage = Lineage(1);

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
    opening: Option<Opening<Toy>>,
    acting: Option<Acting>,
    /// Which conversations wait for an answer to a write.
    pub(super) waiting: [bool; 3],
    appends: u8,
    snapshots: u8,
}

#[derive(Clone, Debug, Hash)]
struct Acting {
    next: Seq,
    records: Vec<u8>,
    fences: Vec<Seq>,
    head: (u8, tenure_core::journal::Head),
    appending: Option<Appending<Toy>>,
    shortening: Option<(Shortening<Toy>, Vec<Seq>, Vec<u8>)>,
}

impl Owner {
    pub(super) fn new(rules: Rules, number: usize, (epoch, appends, snapshots): (u64, u8, u8)) -> Self {
        let author = Author { lineage: LINEAGE, epoch: Epoch(epoch), run: Run(number as u128 + 10) };
        let opening = Some(Opening::new(rules, author));
        Self { author, rules, opening, acting: None, waiting: [false; 3], appends, snapshots }
    }

    /// What a conversation asks now, if it does not wait.
    pub(super) fn ask(&self, talk: Talk) -> Option<Ask<u8>> {
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
    pub(super) fn write(&self, ask: &Ask<u8>) -> Option<Write> {
        let key = |head: &tenure_core::journal::Head| (head.start, head.epoch.0, head.snapshot, head.cleared);
        match ask {
            Ask::CreateHead(head) => Some(Write::CreateHead(key(head))),
            Ask::ReplaceHead(version, head) => Some(Write::ReplaceHead(*version, key(head))),
            Ask::CreateFence(seq) => Some(Write::CreateEntry(*seq, (self.author, None))),
            Ask::CreateEntry(seq) => {
                let entry = self.acting.as_ref()?.appending.as_ref()?.entry();
                Some(Write::CreateEntry(*seq, (entry.author, entry.record)))
            }
            Ask::CreateSnapshot(name) => {
                let (_, fences, records) = self.acting.as_ref()?.shortening.as_ref()?;
                Some(Write::CreateSnapshot(*name, fences.clone(), records.clone()))
            }
            Ask::ReadHead
            | Ask::ReadSnapshot(_)
            | Ask::ReadEntry(_)
            | Ask::ListSnapshots
            | Ask::Remove(_) => None,
        }
    }

    /// Whether it may begin to append.
    pub(super) fn may_append(&self) -> bool {
        self.appends > 0 && self.acting.as_ref().is_some_and(|acting| acting.appending.is_none())
    }

    /// Whether it may begin to shorten.
    pub(super) fn may_shorten(&self) -> bool {
        let free = |acting: &Acting| acting.shortening.is_none() && acting.next > acting.head.1.start;
        self.snapshots > 0 && self.acting.as_ref().is_some_and(free)
    }

    pub(super) fn append(&mut self) {
        let Some(acting) = &mut self.acting else { return };
        self.appends -= 1;
        let record = Some(self.author.run.0 as u8 * 10 + self.appends);
        let entry = ToyEntry { author: self.author, record };
        acting.appending = Some(Appending::new(self.rules, acting.next, entry));
    }

    pub(super) fn shorten(&mut self) {
        let Some(acting) = &mut self.acting else { return };
        self.snapshots -= 1;
        let upto = acting.next.before();
        let name = SnapshotName { upto, epoch: self.author.epoch, run: self.author.run };
        let fences: Vec<Seq> = acting.fences.iter().copied().filter(|seq| *seq <= upto).collect();
        let machine = Shortening::new(self.rules, name, acting.head.clone(), fences.iter().copied());
        acting.shortening = Some((machine, fences, acting.records.clone()));
    }

    /// Tells a conversation its answer.
    pub(super) fn handle(&mut self, talk: Talk, answer: Answer<Toy>, store: &Store) -> Result<(), Promise> {
        self.waiting[talk as usize] = false;
        let told = match talk {
            Talk::Opening => self.opening.as_mut().map(|machine| machine.handle(answer)),
            Talk::Appending => self.told_of_append(answer),
            Talk::Shortening => {
                let machine = self.acting.as_mut().and_then(|acting| acting.shortening.as_mut());
                machine.map(|(machine, ..)| machine.handle(answer))
            }
        };
        match told {
            Some(Err(Fault::Fenced(_))) => self.end(),
            Some(Err(Fault::Damaged(_) | Fault::Foreign(_) | Fault::WentBack { .. })) => {
                return Err(Promise::NoFalseAlarm);
            }
            Some(Ok(())) | None => {}
        }
        self.settle(store)
    }

    fn told_of_append(&mut self, answer: Answer<Toy>) -> Option<Result<(), Fault>> {
        let machine = self.acting.as_mut()?.appending.as_mut()?;
        let looked = matches!(answer, Answer::Absent);
        let told = machine.handle(answer);
        if looked && self.rules.tries_other_bytes() {
            let other =
                ToyEntry { record: machine.entry().record.map(|record| record ^ 0x80), ..*machine.entry() };
            *machine = Appending::new(self.rules, machine.seq(), other);
        }
        Some(told)
    }

    fn end(&mut self) {
        (self.opening, self.acting, self.waiting) = (None, None, [false; 3]);
        (self.appends, self.snapshots) = (0, 0);
    }

    /// Takes over what a conversation came to.
    fn settle(&mut self, store: &Store) -> Result<(), Promise> {
        if self.opening.as_ref().is_some_and(|machine| machine.ask().is_none()) {
            let opened = self.opening.take().and_then(Opening::opened).expect("it asks nothing more");
            let kept = opened.snapshot.map_or(Vec::new(), |snapshot| snapshot.records);
            let records =
                kept.into_iter().chain(opened.tail.iter().filter_map(|entry| entry.record)).collect();
            let (next, fences, head) = (opened.next, opened.fences, opened.head);
            self.acting = Some(Acting { next, records, fences, head, appending: None, shortening: None });
            self.check(store)?;
        }
        let Some(acting) = &mut self.acting else { return Ok(()) };
        if let Some(machine) = acting.appending.take_if(|machine| machine.ask().is_none()) {
            acting.records.extend(machine.entry().record);
            acting.next = machine.seq().next();
            // V5: what is acknowledged is in the history.
            if store.in_history(machine.seq()) != Some(machine.entry()) {
                return Err(Promise::Kept);
            }
            self.check(store)?;
        }
        let Some(acting) = &mut self.acting else { return Ok(()) };
        let done = acting.shortening.take_if(|(machine, ..)| machine.ask().is_none());
        if let Some((_, head)) = done.and_then(|(machine, ..)| machine.done()) {
            acting.head = head;
        }
        Ok(())
    }

    /// V7.
    fn check(&self, store: &Store) -> Result<(), Promise> {
        let acting = self.acting.as_ref().expect("it acts");
        match store.fold(acting.next) {
            Some(records) if records == acting.records => Ok(()),
            Some(_) | None => Err(Promise::TrueState),
        }
    }
}
