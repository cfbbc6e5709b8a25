//! What becomes of a call on its way to the store and back.

use tenure_core::ids::MemberId;
use tenure_core::message::{CallId, Event, Fault, Grant, Reply, Request, When};
use tenure_core::record::Key;

use super::MachineSim;
use super::queue::{Expect, Fate, Flight, Happening, ProcessNo, Write};
use crate::bug::OutsideFlaw;
use crate::clock::Nanos;
use crate::promises::settles::service;

/// For a while, some calls of some processes do not get through.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    /// Names it when it is lifted.
    pub(crate) number: u32,
    /// Whose calls; everybody's if `None`.
    pub(crate) of: Option<ProcessNo>,
    pub(crate) reads: bool,
    pub(crate) writes: bool,
    pub(crate) manner: Manner,
}

/// How calls fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// They disappear.
    Silent,
    /// They are refused at once.
    Refusing,
    /// They are carried out, and the answers disappear.
    Deaf,
    /// They are refused for good.
    Denying,
}

impl MachineSim<'_> {
    /// A process calls the store.
    pub(crate) fn send(&mut self, no: ProcessNo, call: CallId, request: Request) {
        let write = matches!(request, Request::Put { .. } | Request::Delete { .. });
        self.watch_sent(no, &request);
        self.note_sent(no, call, &request);
        let calls = self.procs[no].count_call(self.now);
        self.judge(service::pace(&self.truth, &self.procs[no], calls));
        self.procs[no].pending.push((call, write));
        let fate = self.fate(no, write);
        let over = self.time_over(no);
        let arrives = self.now + self.way(write, over - self.now);
        let answered = arrives + self.chance.span(self.faults.hop);
        let in_time = answered <= over && !matches!(fate, Some(Fate::Unanswered) | None);
        if !in_time {
            self.queue.put(over, Happening::CallOver { to: no, call, write });
        }
        let Some(fate) = fate else { return };
        let fate = if in_time { fate } else { Fate::Unanswered };
        self.maybe_double(no, call, &request, write);
        let flight = Flight { from: no, call, request, fate, sent_at: self.now, answered };
        self.queue.put(arrives, Happening::Arrival(Box::new(flight)));
    }

    fn fate(&mut self, no: ProcessNo, write: bool) -> Option<Fate> {
        if let Some(manner) = self.cut_off(no, write) {
            return match manner {
                Manner::Silent => None,
                Manner::Refusing => Some(Fate::Refused),
                Manner::Deaf => Some(Fate::Unanswered),
                Manner::Denying => Some(Fate::Denied),
            };
        }
        let faults = &self.faults;
        let chance = &mut self.chance;
        if chance.in_10k(faults.lost) {
            None
        } else if chance.in_10k(faults.refused) {
            Some(Fate::Refused)
        } else if !write {
            Some(Fate::Answered)
        } else if chance.in_10k(faults.unanswered) {
            Some(Fate::Unanswered)
        } else if chance.in_10k(faults.conflict_said) {
            Some(Fate::ConflictSaid)
        } else if chance.in_10k(faults.unknown_said) {
            Some(Fate::UnknownSaid)
        } else {
            Some(Fate::Answered)
        }
    }

    fn cut_off(&self, no: ProcessNo, write: bool) -> Option<Manner> {
        let hits =
            |cut: &&Cut| cut.of.is_none_or(|of| of == no) && if write { cut.writes } else { cut.reads };
        self.cuts.iter().find(hits).map(|cut| cut.manner)
    }

    /// How long a request is on its way. A write may be late by any time; a read that is too late is nothing at all.
    fn way(&mut self, write: bool, timeout: Nanos) -> Nanos {
        let hop = self.chance.span(self.faults.hop);
        let late = match write {
            true if self.chance.in_10k(self.faults.delayed) => self.chance.span(self.faults.delay),
            false if self.chance.in_10k(self.faults.slow) => self.chance.span((timeout / 2, timeout)),
            true | false => 0,
        };
        hop + late
    }

    fn time_over(&self, no: ProcessNo) -> Nanos {
        let proc = &self.procs[no];
        let timeout = proc.timing.call_timeout;
        proc.clock.when(proc.clock.read(self.now) + timeout)
    }

    fn maybe_double(&mut self, from: ProcessNo, call: CallId, request: &Request, write: bool) {
        if write && self.chance.in_10k(self.faults.doubled) && self.may_double(request) {
            let at = self.now + self.chance.span((self.faults.hop.0, self.faults.delay.1));
            let request = request.clone();
            let fate = Fate::Unanswered;
            let flight = Flight { from, call, request, fate, sent_at: self.now, answered: at };
            self.queue.put(at, Happening::Arrival(Box::new(flight)));
        }
    }

    /// A create is never sent twice: that is the one thing that a store's client must not do. If the record is deleted in
    /// between, the second copy would bring a line back whose later terms have been used.
    fn may_double(&self, request: &Request) -> bool {
        let create = matches!(request, Request::Put { key: Key::Member(_), when: When::Absent, .. });
        !create || self.mutant.is(OutsideFlaw::CreateSentTwice)
    }

    /// A request reaches the store.
    pub(crate) fn arrive(&mut self, flight: Flight) {
        if flight.fate == Fate::Unanswered && self.healing.is_stale(self.now, flight.sent_at) {
            return;
        }
        let Flight { from, call, request, fate, answered, .. } = flight;
        let reply = match fate {
            Fate::Refused => Reply::Failed(Fault::Unavailable("refused".into())),
            Fate::Denied => Reply::Failed(Fault::Denied("no permission".into())),
            Fate::Answered => self.carry(from, request),
            Fate::Unanswered | Fate::ConflictSaid | Fate::UnknownSaid => {
                self.carry(from, request);
                match fate {
                    Fate::ConflictSaid => Reply::Conflict,
                    Fate::UnknownSaid => Reply::Failed(Fault::Indeterminate("connection broken".into())),
                    _ => return,
                }
            }
        };
        self.queue.put(answered, Happening::Answer { to: from, call, reply: Box::new(reply) });
    }

    fn carry(&mut self, from: ProcessNo, request: Request) -> Reply {
        match request {
            Request::Get { key, unless } => match self.store.get(&key) {
                None => Reply::Absent,
                Some(content) if Some(&content.version) == unless.as_ref() => Reply::Unchanged,
                Some(content) => Reply::Found(content.clone()),
            },
            Request::ListMembers => Reply::Members(self.list()),
            Request::Put { key, value, when } => {
                let write = Write { key: &key, value: Some(value), when: Expect::from(&when) };
                self.write(Some(from), write).map_or(Reply::Conflict, Reply::Stored)
            }
            Request::Delete { key, version } => {
                let write = Write { key: &key, value: None, when: Expect::Is(&version) };
                self.write(Some(from), write).map_or(Reply::Conflict, |_| Reply::Deleted)
            }
        }
    }

    /// The member records, each as old as the seed wants it.
    fn list(&mut self) -> Vec<(MemberId, tenure_core::message::Versioned)> {
        let (now, chance, staleness) = (self.now, &mut self.chance, self.faults.staleness);
        if !chance.in_10k(self.faults.stale) {
            return self.store.members(|| now);
        }
        let together = chance.in_10k(5_000).then(|| chance.below(staleness));
        self.store.members(|| now.saturating_sub(together.unwrap_or_else(|| chance.below(staleness))))
    }

    /// An owner's word travels straight to the processes of its heir.
    pub(crate) fn send_grant(&mut self, grant: Grant) {
        let copies = 1 + self.chance.place(2);
        for _ in 0..copies {
            if self.chance.in_10k(self.faults.grants_lost) {
                continue;
            }
            let late = self.chance.in_10k(self.faults.grants_late);
            let way =
                if late { self.chance.span(self.faults.delay) } else { self.chance.span(self.faults.hop) };
            self.send_word(grant.heir.id(), self.now + way, Event::Grant(grant.clone()));
        }
    }
}

/// Whether `wanted` is somewhere in `bytes`.
pub(crate) fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}
