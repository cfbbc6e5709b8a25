//! What becomes of a call on its way to the store and back.

use tenure_core::ids::MemberId;
use tenure_core::message::{CallId, Fault, Reply, Request, Versioned, When};
use tenure_core::record::Key;

use crate::bug::OutsideFlaw;
use crate::clock::Nanos;
use crate::store::{Expect, Write};
use crate::surroundings::{Harness, ProcessNo, Surroundings};

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

/// The lines between processes and the store.
#[derive(Debug, Default)]
pub(crate) struct Network {
    pub(crate) cuts: Vec<Cut>,
}

impl Network {
    fn cut_off(&self, no: ProcessNo, write: bool) -> Option<Manner> {
        let hits =
            |cut: &&Cut| cut.of.is_none_or(|of| of == no) && if write { cut.writes } else { cut.reads };
        self.cuts.iter().find(hits).map(|cut| cut.manner)
    }
}

/// What will become of a request that reaches the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is carried out and answered.
    Answered,
    /// It is carried out; the answer is lost.
    Unanswered,
    /// It is carried out; the answer is "conflict", whatever happened.
    ConflictSaid,
    /// It is carried out; the answer is "unknown".
    UnknownSaid,
    /// It is refused without being carried out.
    Refused,
    /// It is refused for good.
    Denied,
    /// It is lost on its way, as whoever sent it is told, or not.
    Broken { told: bool },
}

impl Fate {
    /// What the caller is told, where `carry` carries the request out; `None` if the answer is lost.
    pub(crate) fn answer(self, carry: impl FnOnce() -> Reply) -> Option<Reply> {
        match self {
            Self::Refused => Some(Reply::Failed(Fault::Unavailable("refused".into()))),
            Self::Denied => Some(Reply::Failed(Fault::Denied("no permission".into()))),
            Self::Broken { told } => told.then(unknown),
            Self::Answered => Some(carry()),
            Self::Unanswered => {
                carry();
                None
            }
            Self::ConflictSaid => {
                carry();
                Some(Reply::Conflict)
            }
            Self::UnknownSaid => {
                carry();
                Some(unknown())
            }
        }
    }
}

fn unknown() -> Reply {
    Reply::Failed(Fault::Indeterminate("connection broken".into()))
}

/// What is sent to a store.
pub(crate) trait Sent: Clone {
    /// Whether it changes what is stored.
    fn is_write(&self) -> bool;

    /// Whether it creates a member record.
    fn creates_member(&self) -> bool;
}

impl Sent for Request {
    fn is_write(&self) -> bool {
        matches!(self, Self::Put { .. } | Self::Delete { .. })
    }

    fn creates_member(&self) -> bool {
        matches!(self, Self::Put { key: Key::Member(_), when: When::Absent, .. })
    }
}

/// A request on its way to the store.
#[derive(Debug)]
pub(crate) struct Flight<R = Request> {
    pub(crate) from: ProcessNo,
    pub(crate) call: CallId,
    pub(crate) request: R,
    pub(crate) fate: Fate,
    pub(crate) sent_at: Nanos,
    /// When its answer is back.
    pub(crate) answered: Nanos,
}

/// What sets out when a process calls the store.
#[derive(Debug)]
pub(crate) struct Departure<R> {
    /// Whether the answer is back before the call's time is over.
    pub(crate) in_time: bool,
    /// A second copy of the request, and when it arrives.
    pub(crate) copy: Option<(Nanos, Flight<R>)>,
    /// The request, and when it arrives; `None` if it is lost.
    pub(crate) flight: Option<(Nanos, Flight<R>)>,
}

impl Surroundings<'_> {
    /// Cuts process `of`, or everybody, off from the store. When that is over.
    pub(crate) fn cut(&mut self, number: u32, of: Option<ProcessNo>) -> Nanos {
        let (reads, writes) = self.chance.pick(&[(true, true), (true, true), (false, true), (true, false)]);
        let manners = [Manner::Silent, Manner::Silent, Manner::Refusing, Manner::Deaf, Manner::Denying];
        let cut = Cut { number, of, reads, writes, manner: self.chance.pick(&manners) };
        self.note("fault", || format!("{cut:?}"));
        self.network.cuts.push(cut);
        let ttl = self.shape.ttl();
        self.now + self.chance.span((ttl / 10, 3 * ttl))
    }

    /// A cut is over.
    pub(crate) fn lift(&mut self, number: u32) {
        self.note("fault", || format!("cut {number} is lifted"));
        self.network.cuts.retain(|cut| cut.number != number);
    }

    /// Process `from` calls the store; at `over` the call's time is over.
    pub(crate) fn depart<R: Sent>(
        &mut self,
        from: ProcessNo,
        call: CallId,
        request: R,
        over: Nanos,
    ) -> Departure<R> {
        let write = request.is_write();
        let fate = self.fate(from, write);
        let arrives = self.now + self.way(write, over - self.now);
        let answered = arrives + self.chance.span(self.faults.hop);
        let in_time = answered <= over && !matches!(fate, Some(Fate::Unanswered) | None);
        let Some(fate) = fate else { return Departure { in_time, copy: None, flight: None } };
        let copy = self.doubled(from, call, &request);
        let fate = if in_time { fate } else { Fate::Unanswered };
        let flight = Flight { from, call, request, fate, sent_at: self.now, answered };
        Departure { in_time, copy, flight: Some((arrives, flight)) }
    }

    fn fate(&mut self, no: ProcessNo, write: bool) -> Option<Fate> {
        if let Some(manner) = self.network.cut_off(no, write) {
            return match manner {
                Manner::Silent => None,
                Manner::Refusing => Some(Fate::Refused),
                Manner::Deaf => Some(Fate::Unanswered),
                Manner::Denying => Some(Fate::Denied),
            };
        }
        let (faults, chance) = (&self.faults, &mut self.chance);
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

    fn doubled<R: Sent>(&mut self, from: ProcessNo, call: CallId, request: &R) -> Option<(Nanos, Flight<R>)> {
        let doubled = request.is_write() && self.chance.in_10k(self.faults.doubled);
        if !doubled || !self.may_double(request) {
            return None;
        }
        let at = self.now + self.chance.span((self.faults.hop.0, self.faults.delay.1));
        let (request, fate) = (request.clone(), Fate::Unanswered);
        Some((at, Flight { from, call, request, fate, sent_at: self.now, answered: at }))
    }

    /// A create is never sent twice: that is the one thing that a store's client must not do. If the record is deleted in
    /// between, the second copy would bring a line back whose later terms have been used.
    fn may_double(&self, request: &impl Sent) -> bool {
        !request.creates_member() || self.mutant.is(OutsideFlaw::CreateSentTwice)
    }

    /// What becomes of a request that arrives now, after all: where the store was restored meanwhile, its connection broke.
    pub(crate) fn fate_of<R>(&self, flight: &Flight<R>) -> Fate {
        let broke = self.forgetting.broke(flight.sent_at);
        if broke { Fate::Broken { told: flight.fate != Fate::Unanswered } } else { flight.fate }
    }

    /// Whether a request that arrives now was sent before faults stopped: that would be one more fault.
    pub(crate) fn outlasts_healing<R>(&self, flight: &Flight<R>) -> bool {
        flight.fate == Fate::Unanswered && self.healing.is_stale(self.now, flight.sent_at)
    }

    /// The member records, each as old as the seed wants it.
    fn list(&mut self) -> Vec<(MemberId, Versioned)> {
        let (now, chance, staleness) = (self.now, &mut self.chance, self.faults.staleness);
        if !chance.in_10k(self.faults.stale) {
            return self.store.members(|| now);
        }
        let together = chance.in_10k(5_000).then(|| chance.below(staleness));
        self.store.members(|| now.saturating_sub(together.unwrap_or_else(|| chance.below(staleness))))
    }
}

/// Carries a request out that reached the store.
pub(crate) fn carry<'a>(sim: &mut impl Harness<'a>, from: ProcessNo, request: Request) -> Reply {
    match request {
        Request::Get { key, unless } => sim.around().store.read(&key, unless.as_ref()),
        Request::ListMembers => Reply::Members(sim.around().list()),
        Request::Put { key, value, when } => {
            let write = Write { key: &key, value: Some(value), when: Expect::from(&when) };
            sim.write(Some(from), write).map_or(Reply::Conflict, Reply::Stored)
        }
        Request::Delete { key, version } => {
            let write = Write { key: &key, value: None, when: Expect::Is(&version) };
            sim.write(Some(from), write).map_or(Reply::Conflict, |_| Reply::Deleted)
        }
    }
}
