//! One start of work: what it asks of the database, and what it concludes.

use std::collections::VecDeque;

use tenure_core::journal::rows::{Holder, Rows, Settled};
use tenure_core::journal::{Author, Fault, Flaw, Seq};

use super::table::{Reply, Statement, Store};
use crate::journal::history::{Batch, Fold, ToyEntry};
use crate::journal::owner::{Ended, Wants};
use crate::journal::promise::Promise;

/// Which of an owner's conversations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Talk {
    /// It opens the journal.
    Opening,
    /// It appends the entry of this number.
    Appending(Seq),
    /// It lets a snapshot stand for entries.
    Shortening,
}

/// What a conversation does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Send,
    Wait,
    Look,
    Done,
}

/// One start of work.
#[derive(Clone, Debug, Hash)]
pub(super) struct Owner {
    pub(super) author: Author,
    rows: Rows,
    under_way: usize,
    opening: Option<Opening>,
    acting: Option<Acting>,
    pub(super) wants: Wants,
    pub(super) ended: Option<Ended>,
    /// How many appends were acknowledged.
    pub(super) acknowledged: u16,
}

#[derive(Clone, Debug, Hash)]
struct Opening {
    phase: Phase,
    /// The number of its fence.
    opened: Option<Seq>,
    /// What a flawed opener read too early, or only in part.
    early: Option<Fold>,
}

#[derive(Clone, Debug, Hash)]
struct Acting {
    opened: Seq,
    /// The number after the last that was acknowledged or read.
    next: Seq,
    state: Fold,
    appends: VecDeque<(Seq, ToyEntry, Phase)>,
    shortening: Option<(Seq, Fold, Phase)>,
    shortened: Seq,
}

impl Owner {
    pub(super) fn new(rows: Rows, author: Author, wants: Wants, under_way: usize) -> Self {
        let phase = if rows.0.has(Flaw::ReadTooEarly) { Phase::Look } else { Phase::Send };
        let opening = Some(Opening { phase, opened: None, early: None });
        Self { author, rows, under_way, opening, acting: None, wants, ended: None, acknowledged: 0 }
    }

    /// The conversations that go on.
    pub(super) fn talks(&self) -> impl Iterator<Item = Talk> {
        let acting = self.acting.iter();
        let appending =
            acting.clone().flat_map(|acting| acting.appends.iter().map(|(seq, ..)| Talk::Appending(*seq)));
        let shortening = acting.filter_map(|acting| acting.shortening.map(|_| Talk::Shortening));
        self.opening.iter().map(|_| Talk::Opening).chain(appending).chain(shortening)
    }

    fn phase(&mut self, talk: Talk) -> Option<&mut Phase> {
        match talk {
            Talk::Opening => self.opening.as_mut().map(|opening| &mut opening.phase),
            Talk::Appending(seq) => {
                let appends = &mut self.acting.as_mut()?.appends;
                appends.iter_mut().find(|(number, ..)| *number == seq).map(|(_, _, phase)| phase)
            }
            Talk::Shortening => self.acting.as_mut()?.shortening.as_mut().map(|(_, _, phase)| phase),
        }
    }

    /// Whether a conversation wants to look at the row.
    pub(super) fn looks(&self, talk: Talk) -> bool {
        self.clone().phase(talk).is_some_and(|phase| *phase == Phase::Look)
    }

    /// The statement that a conversation wants to send.
    pub(super) fn statement(&self, talk: Talk) -> Option<Statement> {
        let author = self.author;
        match talk {
            Talk::Opening => {
                let opening = self.opening.as_ref()?;
                (opening.phase == Phase::Send).then_some(Statement::Open { author })
            }
            Talk::Appending(seq) => {
                let Acting { opened, appends, .. } = self.acting.as_ref()?;
                let append =
                    appends.iter().find(|(number, _, phase)| *number == seq && *phase == Phase::Send);
                append.map(|(_, entry, _)| Statement::Append { opened: *opened, seq, entry: *entry })
            }
            Talk::Shortening => {
                let (upto, state, phase) = self.acting.as_ref()?.shortening?;
                (phase == Phase::Send).then_some(Statement::Shorten { author, upto, state })
            }
        }
    }

    /// A statement was sent.
    pub(super) fn sent(&mut self, talk: Talk) {
        *self.phase(talk).expect("it has sent something") = Phase::Wait;
    }

    /// The number of the next append, if one may begin.
    pub(super) fn next(&self) -> Option<Seq> {
        let acting = self.acting.as_ref().filter(|acting| acting.appends.len() < self.under_way)?;
        Some(Seq(acting.next.0 + acting.appends.len() as u64))
    }

    /// Whether it may begin to shorten.
    pub(super) fn may_shorten(&self) -> bool {
        let free = |acting: &Acting| acting.shortening.is_none() && acting.next > acting.shortened;
        self.wants.snapshots > 0 && self.acting.as_ref().is_some_and(free)
    }

    pub(super) fn append(&mut self, batch: Batch) {
        let (Some(seq), Some(acting)) = (self.next(), &mut self.acting) else { return };
        let entry = ToyEntry { author: self.author, batch: Some(batch) };
        acting.appends.push_back((seq, entry, Phase::Send));
    }

    pub(super) fn shorten(&mut self) {
        let Some(acting) = &mut self.acting else { return };
        self.wants.snapshots -= 1;
        acting.shortened = acting.next;
        acting.shortening = Some((acting.next.before(), acting.state, Phase::Send));
    }

    /// It does nothing more.
    pub(super) fn end(&mut self, ended: Ended) {
        (self.opening, self.acting) = (None, None);
        (self.wants, self.ended) = (Wants::default(), Some(ended));
    }

    /// Whether it has opened the journal.
    pub(super) fn is_acting(&self) -> bool {
        self.acting.is_some()
    }

    /// Tells a conversation what became of its statement.
    pub(super) fn handle(&mut self, talk: Talk, reply: Reply, store: &Store) -> Result<(), Promise> {
        let rules = self.rows.0;
        let phase = match (talk, reply) {
            (_, Reply::Refused(fault)) => return self.stop(&fault, store),
            (Talk::Opening, Reply::Done(opened)) => {
                self.opening.as_mut().expect("it opens").opened = Some(opened);
                Phase::Look
            }
            (Talk::Opening, Reply::NoRow) => Phase::Look,
            (Talk::Opening, Reply::Unsure) => Phase::Send,
            (Talk::Appending(_), Reply::Done(_)) => Phase::Done,
            (Talk::Appending(_), Reply::NoRow) if rules.has(Flaw::NoRowIsStored) => Phase::Done,
            (Talk::Appending(_), Reply::Unsure) if rules.has(Flaw::RowSilenceCounts) => Phase::Done,
            (Talk::Appending(_), Reply::NoRow) if rules.has(Flaw::NoRowIsFenced) => {
                return self.stop(&Fault::Fenced(self.author.epoch), store);
            }
            (Talk::Appending(_), Reply::NoRow | Reply::Unsure) => Phase::Look,
            (Talk::Shortening, Reply::Done(_) | Reply::NoRow) => Phase::Done,
            (Talk::Shortening, Reply::Unsure) => Phase::Send,
        };
        *self.phase(talk).expect("it waited") = phase;
        self.settle(store)
    }

    /// A conversation looks at the row, and concludes.
    pub(super) fn look(&mut self, talk: Talk, store: &Store) -> Result<(), Promise> {
        let told = match talk {
            Talk::Opening => self.look_to_open(store),
            Talk::Appending(seq) => self.look_for(seq, store),
            Talk::Shortening => unreachable!("a snapshot looks at nothing"),
        };
        match told {
            Ok(()) => self.settle(store),
            Err(fault) => self.stop(&fault, store),
        }
    }

    fn look_to_open(&mut self, store: &Store) -> Result<(), Fault> {
        let opening = self.opening.as_mut().expect("it opens");
        if self.rows.0.has(Flaw::ReadTooEarly) && opening.early.is_none() {
            let state = store.look().transpose()?.map_or_else(Fold::default, |sight| sight.state);
            (opening.early, opening.phase) = (Some(state), Phase::Send);
            return Ok(());
        }
        if let Some(opened) = opening.opened {
            return self.read_all(opened, store);
        }
        self.rows.open(store.tables.fence.as_ref(), &self.author)?;
        opening.phase = Phase::Send;
        Ok(())
    }

    /// The row was taken: reads what is there, at one moment.
    fn read_all(&mut self, opened: Seq, store: &Store) -> Result<(), Fault> {
        let Some(sight) = store.look().transpose()? else {
            return Err(Fault::WentBack { was: opened, now: Seq(0) });
        };
        self.rows.refuse_older(&sight.fence, &self.author, opened)?;
        // Somebody else may have taken it since.
        self.rows.settle(&sight.fence, &Holder { author: self.author, opened }, opened)?;
        let opening = self.opening.as_mut().expect("it opens");
        if self.rows.0.has(Flaw::ReadInTwo) && opening.early.is_none() {
            // The snapshot now, the entries later.
            opening.early = Some(store.tables.snapshot.map_or_else(Fold::default, |(_, state)| state));
            return Ok(());
        }
        let state = match opening.early {
            Some(early) if self.rows.0.has(Flaw::ReadInTwo) => early.after(store.tables.entries.values()),
            Some(early) => early,
            None => sight.state,
        };
        let (next, shortened) = (opened.next(), sight.fence.start);
        let appends = VecDeque::new();
        self.acting = Some(Acting { opened, next, state, appends, shortening: None, shortened });
        self.opening = None;
        Ok(())
    }

    fn look_for(&mut self, seq: Seq, store: &Store) -> Result<(), Fault> {
        let acting = self.acting.as_ref().expect("it appends");
        let (known, holder) = (acting.next.before(), Holder { author: self.author, opened: acting.opened });
        let Some(fence) = &store.tables.fence else {
            return Err(Fault::WentBack { was: known, now: Seq(0) });
        };
        self.rows.refuse_older(fence, &self.author, known)?;
        let phase = match self.rows.settle(fence, &holder, seq)? {
            Settled::Stored => Phase::Done,
            Settled::NotYet => Phase::Send,
        };
        *self.phase(Talk::Appending(seq)).expect("it appends") = phase;
        if phase == Phase::Send && self.rows.0.has(Flaw::OtherRecords) {
            let acting = self.acting.as_mut().expect("it appends");
            let append = acting.appends.iter_mut().find(|(number, ..)| *number == seq);
            let batch = append.and_then(|(_, entry, _)| entry.batch.as_mut()).expect("it appends");
            batch.first ^= 0x80;
        }
        Ok(())
    }

    /// It is over. That must be true.
    fn stop(&mut self, fault: &Fault, store: &Store) -> Result<(), Promise> {
        let row = store.tables.fence.as_ref();
        let is_true = match fault {
            Fault::Fenced(_) => row.is_some_and(|row| match self.opened() {
                // Its own opening may have landed once more, late.
                Some(opened) => row.opened != opened,
                None => row.epoch > self.author.epoch,
            }),
            Fault::Foreign(lineage) => *lineage != self.author.lineage,
            Fault::Damaged(_) | Fault::WentBack { .. } => false,
        };
        self.end(Ended::of(fault));
        if is_true || store.is_damaged { Ok(()) } else { Err(Promise::NoFalseAlarm) }
    }

    fn opened(&self) -> Option<Seq> {
        let acting = self.acting.as_ref().map(|acting| acting.opened);
        acting.or_else(|| self.opening.as_ref().and_then(|opening| opening.opened))
    }

    /// Takes over what its conversations came to: appends in their order.
    fn settle(&mut self, store: &Store) -> Result<(), Promise> {
        let Some(acting) = &mut self.acting else { return Ok(()) };
        while acting.appends.front().is_some_and(|(_, _, phase)| *phase == Phase::Done) {
            let Some((seq, entry, _)) = acting.appends.pop_front() else { break };
            (acting.state, acting.next) = (acting.state.then(&entry), seq.next());
            self.acknowledged += 1;
            if !store.is_damaged {
                store.history.judge_acknowledged(seq, &entry)?;
            }
        }
        acting.shortening.take_if(|(_, _, phase)| *phase == Phase::Done);
        match store.is_damaged {
            true => Ok(()),
            false => store.history.judge_state(acting.next, acting.state),
        }
    }
}
