//! Keeps our own lease: joins, renews, resolves doubt, lapses, leaves.
//!
//! One store call at a time, every attempt with a seq of its own, and never a conclusion from silence: whatever is not
//! known to have landed extends nothing.
//!
//! ```text
//!   sent_at                              valid_until
//!      │── Put(seq) ──► store               │
//!      │        Stored ◄──                  │      valid_until = sent_at + ttl·(1−ρ) − margin
//!      ├────────── may act ─────────────────┤
//! ```

mod going;
mod joining;
mod reading;
mod wishes;

use std::collections::{BTreeMap, BTreeSet};

use self::wishes::Wishes;
use super::attempts::{Attempt, Attempts};
use super::said::Said;
use super::word::{Urgency, Word};
use crate::config::Config;
use crate::entropy::Entropy;
use crate::guard::Lease;
use crate::ids::{Epoch, Incarnation, Life, Line, Process, ShardId};
use crate::message::{LapseReason, Notice, Reply, Request, When};
use crate::moment::Moment;
use crate::record::{FORMAT, Key, MemberRecord, MemberState, Released, Unknown, Version};
use crate::roster::SeenRecord;
use std::time::Duration;

/// What the keeper asks of the machine around it.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Call the store; the reply comes back by [`Keeper::reply`].
    Call(Request),
    /// A lease is held.
    Joined(Life),
    /// Our record is known to be this.
    Wrote(Version, Box<MemberRecord>),
    /// The lease is over.
    Lapsed(Life, LapseReason),
    /// Our record says gone, or we gave up saying it.
    Gone,
    /// Something to tell.
    Tell(Notice),
}

#[derive(Debug, PartialEq)]
enum LeasePhase {
    Idle,
    Joining,
    Held {
        life: Life,
        version: Version,
        doubt: bool,
    },
    /// `join`: the write by which this life would begin, if it is not known whether that landed.
    Going {
        life: Life,
        version: Option<Version>,
        tries: u32,
        join: Option<When>,
    },
    Over,
}

#[derive(Debug, Clone, PartialEq)]
enum Call {
    Read,
    Write { seq: u64, record: Box<MemberRecord>, revision: u64 },
}

/// How often a leaving member tries to say `gone` before it leaves that to the others.
const GONE_TRIES: u32 = 5;

/// Keeps our own lease.
#[derive(Debug)]
pub struct Keeper {
    config: Config,
    entropy: Entropy,
    ttl_max: Duration,
    lease: Lease,
    phase: LeasePhase,
    call: Option<Call>,
    attempts: Attempts,
    landed_seq: u64,
    said: Said,
    revision: u64,
    written: u64,
    next_at: Moment,
    streak: u32,
    /// Writes in a row that met another version, and so had to be made again.
    conflicts: u32,
    /// The stranger's record that holds our id, while we wait for its end.
    former: Option<SeenRecord>,
    dead: BTreeSet<Process>,
    /// The last attempt to join, until it is known to have led to a lease.
    applied: Option<(Incarnation, When)>,
    /// The last term that this process lived in, for each line.
    lived: BTreeMap<Line, u64>,
    /// What others wrote into our record, kept over our own writes: operators' wishes, fields of a later version.
    wishes: Wishes,
    extra: Unknown,
    /// What the wall clock shows, for people who read the record.
    wall_ms: Option<u64>,
}

impl Keeper {
    /// A keeper without a lease.
    pub fn new(config: Config, entropy: Entropy) -> Self {
        Self {
            ttl_max: config.ttl_max,
            config,
            entropy,
            lease: Lease::default(),
            phase: LeasePhase::Idle,
            call: None,
            attempts: Attempts::default(),
            landed_seq: 0,
            said: Said::default(),
            revision: 0,
            written: 0,
            next_at: Moment::ZERO,
            streak: 0,
            conflicts: 0,
            former: None,
            dead: BTreeSet::new(),
            applied: None,
            lived: BTreeMap::new(),
            wishes: Wishes::default(),
            extra: Unknown::default(),
            wall_ms: None,
        }
    }

    /// The cell that every guard reads.
    pub fn lease(&self) -> &Lease {
        &self.lease
    }

    /// The life that holds a lease now.
    pub fn life(&self) -> Option<&Life> {
        match &self.phase {
            LeasePhase::Held { life, .. } => Some(life),
            LeasePhase::Idle | LeasePhase::Joining | LeasePhase::Going { .. } | LeasePhase::Over => None,
        }
    }

    /// Whether there is neither a lease nor an attempt at one.
    pub fn is_idle(&self) -> bool {
        self.phase == LeasePhase::Idle
    }

    /// Whether all that this member wants to say is in its record.
    pub fn is_settled(&self) -> bool {
        self.written == self.revision
    }

    /// Whether a join is under way.
    pub fn is_joining(&self) -> bool {
        self.phase == LeasePhase::Joining
    }

    /// The life that a join under way would begin.
    pub(crate) fn under_way(&self) -> Option<Life> {
        let (_, attempt) = self.attempts.newest().filter(|_| self.is_joining())?;
        Some(Life::new(self.config.id.clone(), attempt.incarnation))
    }

    /// Whether another process holds our id.
    pub fn is_waiting(&self) -> bool {
        self.is_joining() && self.former.is_some()
    }

    /// Renewals that failed in a row.
    pub fn streak(&self) -> u32 {
        self.streak
    }

    /// What this member says of itself.
    pub fn said(&self) -> &Said {
        &self.said
    }

    /// Takes in what this member says of itself; what is urgent is written as soon as the call under way allows.
    pub fn say(&mut self, word: Word) {
        match self.said.take(word) {
            Urgency::Now => self.revision += 1,
            Urgency::Later => self.changed(),
            Urgency::Never => {}
        }
    }

    /// What is said changed, without hurry: the next renewal carries it.
    fn changed(&mut self) {
        let settled = self.is_settled();
        self.revision += 1;
        if settled {
            self.written = self.revision;
        }
    }

    /// The ledger has moved on from these releases: they need not be said any more. What waited for their place is said soon.
    pub fn forget_released(&mut self, over: &[(ShardId, Epoch)]) {
        let waiting = self.said.released.len() > self.config.release_runs;
        over.iter().for_each(|(shard, epoch)| self.said.forget(*shard, *epoch));
        self.changed();
        if waiting {
            self.revision += 1;
        }
    }

    /// What the wall clock shows: records say it to people, and nothing else depends on it.
    pub fn wall_clock(&mut self, wall_ms: u64) {
        self.wall_ms = Some(wall_ms);
    }

    /// Begins to join (L1). All work of a former life must have ended.
    pub fn join(&mut self, now: Moment, ttl_max: Duration) {
        if self.phase == LeasePhase::Idle {
            self.ttl_max = ttl_max;
            self.phase = LeasePhase::Joining;
            self.next_at = now;
        }
    }

    /// It is proven that a process ended (O4).
    pub fn died(&mut self, now: Moment, process: Process) {
        self.dead.insert(process);
        if self.is_waiting() {
            self.next_at = now;
        }
    }

    /// The clock can't be trusted, or the member detaches for another reason: the lease is over.
    pub fn lapse(&mut self, reason: LapseReason, out: &mut Vec<Act>) {
        if let LeasePhase::Held { life, .. } = &self.phase {
            let life = life.clone();
            self.config.rules.close_lapsed(&self.lease);
            self.phase = LeasePhase::Idle;
            // Whatever of this life may still land, it is not a lease any more.
            self.attempts.forget();
            out.push(Act::Lapsed(life, reason));
        }
    }

    /// Time passed. Calling early is harmless.
    pub fn advance(&mut self, now: Moment, out: &mut Vec<Act>) {
        if matches!(self.phase, LeasePhase::Held { .. }) && !self.lease.holds(now) {
            self.lapse(LapseReason::Expired, out);
        }
        if self.call.is_none() {
            self.step(now, out);
        }
    }

    /// When to call [`Keeper::advance`] next.
    pub fn deadline(&self) -> Option<Moment> {
        let step = match (&self.phase, &self.call) {
            (LeasePhase::Idle | LeasePhase::Over, _) | (_, Some(_)) => None,
            (LeasePhase::Held { doubt: false, .. }, None) if self.hurries() => Some(Moment::ZERO),
            (_, None) => Some(self.next_at),
        };
        let end = matches!(self.phase, LeasePhase::Held { .. }).then(|| self.lease.valid_until());
        step.into_iter().chain(end).min()
    }

    /// Whether there is something to say that should not wait for the next renewal; not while writes keep failing.
    fn hurries(&self) -> bool {
        self.written != self.revision && self.streak <= 1
    }

    /// The pause before the next try: none after a first failure, which is resolved at once.
    fn pause(&self) -> Duration {
        let first = self.streak <= 1 && self.conflicts <= 1;
        if first { Duration::ZERO } else { self.config.timing.acquire_retry_interval }
    }

    fn step(&mut self, now: Moment, out: &mut Vec<Act>) {
        let due = now >= self.next_at;
        match &self.phase {
            LeasePhase::Idle | LeasePhase::Over => {}
            LeasePhase::Joining if due => self.read(out),
            LeasePhase::Held { doubt: true, .. } if due => self.read(out),
            LeasePhase::Held { doubt: false, .. } if due || self.hurries() => self.renew(now, out),
            LeasePhase::Going { version: None, .. } if due => self.read(out),
            LeasePhase::Going { version: Some(_), .. } if due => self.say_gone(now, out),
            LeasePhase::Joining | LeasePhase::Held { .. } | LeasePhase::Going { .. } => {}
        }
    }

    fn key(&self) -> Key {
        Key::Member(self.config.id.clone())
    }

    fn read(&mut self, out: &mut Vec<Act>) {
        self.call = Some(Call::Read);
        out.push(Act::Call(Request::Get { key: self.key(), unless: None }));
    }

    fn write(
        &mut self,
        now: Moment,
        incarnation: Incarnation,
        state: MemberState,
        when: When,
        out: &mut Vec<Act>,
    ) {
        let seq = self.attempts.begin(Attempt { sent_at: now, incarnation }, self.config.rules);
        let record = self.record(incarnation, state, seq);
        let value = record.encode();
        self.call = Some(Call::Write { seq, record: Box::new(record), revision: self.revision });
        out.push(Act::Call(Request::Put { key: self.key(), value, when }));
    }

    fn record(&self, incarnation: Incarnation, state: MemberState, seq: u64) -> MemberRecord {
        MemberRecord {
            v: FORMAT,
            line: incarnation.line,
            term: incarnation.term,
            process: self.config.process,
            seq,
            state,
            by: None,
            ttl_ms: self.config.timing.ttl.as_millis() as u64,
            address: self.config.address.clone(),
            zone: self.config.zone.clone(),
            weight: self.config.weight,
            version: self.config.version.clone(),
            released: self.released(state),
            avoids: self.said.avoids.iter().copied().collect(),
            wants: self.said.wants.iter().copied().collect(),
            stuck: self.said.stuck.iter().copied().collect(),
            failing: self.said.failing(),
            drained: self.wishes.drained,
            give_back: self.wishes.give_back.clone(),
            at_ms: self.wall_ms,
            extra: self.extra.clone(),
        }
    }

    /// A portion of what was released. Whoever is gone has ended every epoch at once.
    fn released(&self, state: MemberState) -> Released {
        let released = self.said.released().filter(|_| state.is_open());
        released.collect::<Released>().portion(self.config.release_runs)
    }

    fn renew(&mut self, now: Moment, out: &mut Vec<Act>) {
        let LeasePhase::Held { life, version, .. } = &self.phase else { return };
        let when = self.config.rules.renews_over(version);
        let incarnation = life.incarnation();
        let state = if self.said.leaving { MemberState::Leaving } else { MemberState::Active };
        self.write(now, incarnation, state, when, out);
    }

    /// The reply to the call under way.
    pub fn reply(&mut self, now: Moment, reply: Reply, out: &mut Vec<Act>) {
        match self.call.take() {
            None => {}
            Some(Call::Read) => self.read_replied(now, reply, out),
            Some(Call::Write { seq, record, revision }) => {
                self.write_replied(now, seq, record, revision, reply, out)
            }
        }
        if self.call.is_none() {
            self.step(now, out);
        }
    }

    fn write_replied(
        &mut self,
        now: Moment,
        seq: u64,
        record: Box<MemberRecord>,
        revision: u64,
        reply: Reply,
        out: &mut Vec<Act>,
    ) {
        match self.landed(&reply) {
            Some(version) => {
                self.written = self.written.max(revision);
                self.wrote(now, seq, version.clone(), record.state, out);
                out.push(Act::Wrote(version, record));
            }
            None => self.write_unknown(now, &reply, out),
        }
    }

    /// The version as which our write landed, if that is known.
    fn landed(&self, reply: &Reply) -> Option<Version> {
        match self.phase {
            LeasePhase::Joining => self.config.rules.join_landed(reply),
            LeasePhase::Held { .. } => self.config.rules.renewal_landed(reply),
            LeasePhase::Idle | LeasePhase::Going { .. } | LeasePhase::Over => reply.stored().cloned(),
        }
    }

    /// A write of ours is known to have landed.
    fn wrote(&mut self, now: Moment, seq: u64, landed: Version, state: MemberState, out: &mut Vec<Act>) {
        match &mut self.phase {
            LeasePhase::Joining => self.joined(now, seq, landed, out),
            LeasePhase::Held { .. } => self.renewed(now, seq, landed, out),
            LeasePhase::Going { .. } if state == MemberState::Gone => self.over(out),
            LeasePhase::Going { version, .. } => *version = Some(landed),
            // A late reply revives nothing.
            LeasePhase::Idle | LeasePhase::Over => {}
        }
    }

    /// Conflict and Indeterminate extend nothing: read the record before concluding anything.
    fn write_unknown(&mut self, now: Moment, reply: &Reply, out: &mut Vec<Act>) {
        match &mut self.phase {
            LeasePhase::Held { doubt, .. } => *doubt = true,
            LeasePhase::Going { version, .. } => *version = None,
            LeasePhase::Idle | LeasePhase::Joining | LeasePhase::Over => {}
        }
        match reply {
            Reply::Failed(fault) => self.failed(fault.why(), out),
            // The store answered: whether the other version is our own, or an operator's, or a stranger's, is read.
            _ => self.conflicts += 1,
        }
        self.next_at = now + self.pause();
    }

    fn failed(&mut self, why: &str, out: &mut Vec<Act>) {
        self.streak += 1;
        if self.life().is_some() {
            out.push(Act::Tell(Notice::RenewalFailed { streak: self.streak, why: why.into() }));
        }
    }

    fn joined(&mut self, now: Moment, seq: u64, version: Version, out: &mut Vec<Act>) {
        let Some(attempt) = self.attempts.landed(seq) else { return };
        let until = self.valid_until(now, attempt);
        self.landed_seq = seq;
        if now >= until {
            // It landed too late to be of use: the record is our own, and is replaced at once.
            self.next_at = now;
            return;
        }
        let life = Life::new(self.config.id.clone(), attempt.incarnation);
        self.lived.insert(attempt.incarnation.line, attempt.incarnation.term);
        (self.former, self.applied) = (None, None);
        (self.streak, self.conflicts) = (0, 0);
        self.next_at = attempt.sent_at + self.config.timing.renew_every;
        self.lease.extend(until);
        self.phase = LeasePhase::Held { life: life.clone(), version, doubt: false };
        out.push(Act::Joined(life));
    }

    fn renewed(&mut self, now: Moment, seq: u64, landed: Version, out: &mut Vec<Act>) {
        let Some(attempt) = self.attempts.landed(seq) else { return };
        let left = self.lease.valid_until().since(now);
        self.lease.extend(self.valid_until(now, attempt));
        self.landed_seq = self.landed_seq.max(seq);
        (self.streak, self.conflicts) = (0, 0);
        self.next_at = attempt.sent_at + self.config.timing.renew_every;
        if let LeasePhase::Held { version, doubt, .. } = &mut self.phase {
            (*version, *doubt) = (landed, false);
        }
        out.push(Act::Tell(Notice::Renewed { left }));
    }

    fn valid_until(&self, now: Moment, attempt: Attempt) -> Moment {
        self.config.rules.holds_until(attempt.sent_at, now, &self.config.timing)
    }
}
