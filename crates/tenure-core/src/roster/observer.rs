//! What this member knows of the others.
//!
//! Facts are kept apart from sightings. That a life is closed, or that it released an epoch, is stable: it may come from
//! a read however old. That a life is silent is a matter of our own clock, and only leads to a write (O2), never to a
//! conclusion by itself.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::SeenRecord;
use super::missing::Missing;
use super::suspects::Suspects;
use crate::Rules;
use crate::ids::{Epoch, Incarnation, Life, Line, MemberId, Process, ShardId};
use crate::message::{Reply, Versioned};
use crate::moment::{Moment, Timing};
use crate::record::{Incompatible, MemberRecord, MemberState, Version};

/// The latest life of a line that was seen, and whether it is closed. Every earlier one is.
#[derive(Clone, Copy, Debug)]
struct Latest {
    term: u64,
    closed: bool,
}

/// What this member knows of the others.
#[derive(Debug)]
pub struct Roster {
    /// `None` for one who only looks.
    me: Option<MemberId>,
    timing: Timing,
    ttl_max: Duration,
    rules: Rules,
    entries: BTreeMap<MemberId, SeenRecord>,
    latest: BTreeMap<MemberId, BTreeMap<Line, Latest>>,
    lost: BTreeSet<Life>,
    missing: BTreeMap<Life, Missing>,
    dead: BTreeSet<Process>,
    /// The members whose process was proven dead, whatever process they have since.
    dead_ids: BTreeSet<MemberId>,
    /// When the last whole listing was here.
    listed_at: Option<Moment>,
    revision: u64,
    suspects: Suspects,
}

impl Roster {
    /// A roster that has seen nobody yet.
    pub fn new(me: MemberId, timing: Timing, ttl_max: Duration, rules: Rules) -> Self {
        Self { me: Some(me), rules, ..Self::onlooking(timing, ttl_max) }
    }

    /// The roster of one who is no member and closes nobody.
    pub fn onlooking(timing: Timing, ttl_max: Duration) -> Self {
        Self {
            me: None,
            timing,
            ttl_max,
            rules: Rules::ALL,
            entries: BTreeMap::new(),
            latest: BTreeMap::new(),
            lost: BTreeSet::new(),
            missing: BTreeMap::new(),
            dead: BTreeSet::new(),
            dead_ids: BTreeSet::new(),
            listed_at: None,
            revision: 0,
            suspects: Suspects::default(),
        }
    }

    /// Grows whenever something was learnt that others may act on.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Every record, as last seen.
    pub fn entries(&self) -> impl Iterator<Item = (&MemberId, &SeenRecord)> {
        self.entries.iter()
    }

    /// One record, as last seen.
    pub fn entry(&self, id: &MemberId) -> Option<&SeenRecord> {
        self.entries.get(id)
    }

    /// A whole listing arrived by `now`; it was asked for at `asked_at`. Returns what could not be understood.
    pub fn listed(
        &mut self,
        now: Moment,
        asked_at: Moment,
        members: Vec<(MemberId, Versioned)>,
    ) -> Vec<Incompatible> {
        let listed: BTreeSet<MemberId> = members.iter().map(|(id, _)| id.clone()).collect();
        let gone: Vec<MemberId> = self.entries.keys().filter(|id| !listed.contains(*id)).cloned().collect();
        self.revision += u64::from(!gone.is_empty());
        gone.iter().for_each(|id| self.remove(id));
        let unreadable =
            members.into_iter().filter_map(|(id, found)| self.saw(now, asked_at, id, found)).collect();
        self.listed_at = Some(now);
        unreadable
    }

    /// One record was read; the reply had arrived by `now`.
    pub fn saw(
        &mut self,
        now: Moment,
        asked_at: Moment,
        id: MemberId,
        found: Versioned,
    ) -> Option<Incompatible> {
        let now = self.rules.first_seen(asked_at, now);
        if let Some(entry) = self.entries.get_mut(&id)
            && entry.version == found.version
        {
            if let (Some(sighting), Ok(record)) = (&mut entry.sighting, &entry.record) {
                sighting.again(now, record, self.rules.longest_gap(&self.timing, record.ttl()));
            }
            self.watch(&id);
            return None;
        }
        match MemberRecord::decode(&id, &found.value, self.ttl_max) {
            Ok(record) => {
                self.learn(now, id, found.version, record);
                None
            }
            Err(error) => {
                self.revision += 1;
                self.enter(id, SeenRecord::unreadable(now, found.version, error.clone()));
                Some(error)
            }
        }
    }

    /// A record is known to be, or to have been, as given.
    pub fn learn(&mut self, now: Moment, id: MemberId, version: Version, record: MemberRecord) {
        let unheard_of = self.note_latest(&id, &record);
        if self.is_older(&id, &record) {
            return;
        }
        let before = self.entries.remove(&id);
        let news = before.as_ref().and_then(SeenRecord::readable).is_none_or(|old| differs(old, &record));
        self.revision += u64::from(news);
        let gap = self.rules.longest_gap(&self.timing, record.ttl());
        let entry = match before.filter(|entry| entry.sighting.is_some()) {
            Some(entry) => entry.again(now, version, record, gap, self.rules),
            None => SeenRecord::first(now, version, record, self.has_just_begun(now, unheard_of, gap)),
        };
        self.enter(id, entry);
    }

    fn enter(&mut self, id: MemberId, entry: SeenRecord) {
        self.entries.insert(id.clone(), entry);
        self.watch(&id);
    }

    fn remove(&mut self, id: &MemberId) {
        self.entries.remove(id);
        self.watch(id);
    }

    /// Notes from when on a member is silent, and whether it is dead, after something about it changed.
    fn watch(&mut self, id: &MemberId) {
        if self.me.as_ref() != Some(id) && self.is_dead(id) {
            return self.suspects.is_dead(id);
        }
        self.suspects.will_be_silent(id, self.silent_at(id));
    }

    /// Time passed: notes who became silent.
    pub fn pass(&mut self, now: Moment) {
        self.suspects.pass(now);
    }

    /// Grows whenever somebody becomes silent or dead, or is so no more, as far as [`Roster::pass`] noted.
    pub fn standing(&self) -> u64 {
        self.suspects.changes()
    }

    /// When the next member will be silent.
    pub fn next_silence(&self) -> Option<Moment> {
        self.suspects.next()
    }

    /// The members that are silent or proven dead, as far as [`Roster::pass`] noted.
    pub fn suspects(&self) -> impl Iterator<Item = &MemberId> {
        self.suspects.all()
    }

    /// A life that the listing of a moment ago did not show has just begun. One that an old listing merely left out has not.
    fn has_just_begun(&self, now: Moment, unheard_of: bool, gap: Duration) -> bool {
        let watched = self.listed_at.is_some_and(|at| now.since(at) <= gap);
        self.rules.first_sight_renews(watched, unheard_of)
    }

    /// Whether no record has shown this life before.
    fn note_latest(&mut self, id: &MemberId, record: &MemberRecord) -> bool {
        let (term, closed) = (record.term, !record.state.is_open());
        let lines = self.latest.entry(id.clone()).or_default();
        let Some(latest) = lines.get_mut(&record.line) else {
            lines.insert(record.line, Latest { term, closed });
            return true;
        };
        let unheard_of = term > latest.term;
        if unheard_of || term == latest.term && closed && !latest.closed {
            *latest = Latest { term, closed };
            self.revision += 1;
        }
        unheard_of
    }

    /// Whether a record is an old read: within a line, terms and seqs only grow, and closed is for ever. An old listing may
    /// leave out the record that told so, hence what was learnt of the line counts too.
    fn is_older(&self, id: &MemberId, record: &MemberRecord) -> bool {
        self.is_outlived(id, record) || self.is_older_than_seen(id, record)
    }

    fn is_outlived(&self, id: &MemberId, record: &MemberRecord) -> bool {
        let latest = self.latest.get(id).and_then(|lines| lines.get(&record.line));
        latest.is_some_and(|latest| {
            record.term < latest.term || record.term == latest.term && latest.closed && record.state.is_open()
        })
    }

    fn is_older_than_seen(&self, id: &MemberId, record: &MemberRecord) -> bool {
        let seen =
            self.entries.get(id).and_then(SeenRecord::readable).filter(|seen| seen.line == record.line);
        // Whoever closes a life writes over the record that it found, and that may have gone back: closed counts all the same.
        let closed = !record.state.is_open();
        let closes = |seen: &MemberRecord| closed && record.term == seen.term && seen.state.is_open();
        seen.is_some_and(|seen| (record.term, record.seq) < (seen.term, seen.seq) && !closes(seen))
    }

    /// A record came with a hint, which may have been under way for long. Whether it says what is known already or could be
    /// learnt; if not, it is to be read.
    pub fn heard(&mut self, now: Moment, id: &MemberId, found: &Versioned) -> bool {
        let Some(seen) = self.entries.get(id) else { return false };
        if seen.version == found.version {
            return true;
        }
        let line = seen.readable().map(|record| record.line);
        match MemberRecord::decode(id, &found.value, self.ttl_max) {
            Ok(record) if Some(record.line) == line => {
                self.learn(now, id.clone(), found.version.clone(), record);
                true
            }
            _ => false,
        }
    }

    /// Whether a record would tell more than a renewal, if it was true.
    pub fn would_be_news(&self, id: &MemberId, found: &Versioned) -> bool {
        let Some(seen) = self.entries.get(id) else { return true };
        let said = || MemberRecord::decode(id, &found.value, self.ttl_max).ok();
        match seen.readable() {
            _ if seen.version == found.version => false,
            Some(old) => said().is_none_or(|new| !self.is_older(id, &new) && differs(old, &new)),
            None => true,
        }
    }

    /// Whether a life can never act again (O3).
    pub fn is_closed(&self, life: &Life) -> bool {
        self.is_lost(life) || self.is_closed_by_record(life)
    }

    /// Whether a life was missing for so long that it can never act again (O3b), whatever a late record shows.
    pub fn is_lost(&self, life: &Life) -> bool {
        self.lost.contains(life)
    }

    fn is_closed_by_record(&self, life: &Life) -> bool {
        let lines = self.latest.get(life.id()).into_iter().flatten();
        lines
            .map(|(line, latest)| (Incarnation { line: *line, term: latest.term }, latest.closed))
            .any(|(shown, is_closed)| self.rules.closes(shown, is_closed, life.incarnation()))
    }

    /// Whether a life is known to have ended one epoch of a shard.
    pub fn has_ended(&self, now: Moment, life: &Life, shard: ShardId, epoch: Epoch) -> bool {
        let (closed, silent) = (self.is_closed(life), || self.is_silent(now, life.id()));
        self.rules.has_ended(closed, closed || self.has_released(life, shard, epoch), silent)
    }

    /// The record of a life, if it can be understood.
    pub fn record_of(&self, life: &Life) -> Option<&MemberRecord> {
        let record = self.entries.get(life.id()).and_then(SeenRecord::readable);
        record.filter(|record| record.incarnation() == life.incarnation())
    }

    fn has_released(&self, life: &Life, shard: ShardId, epoch: Epoch) -> bool {
        let record = self.entries.get(life.id()).and_then(SeenRecord::readable);
        record.is_some_and(|record| self.rules.has_released(record, life, shard, epoch))
    }

    /// From when on the member `id` is silent, if it is open and is not this one.
    pub fn silent_at(&self, id: &MemberId) -> Option<Moment> {
        let entry = self.entries.get(id).filter(|_| self.me.as_ref() != Some(id))?;
        let ttl = entry.open()?.ttl();
        Some(entry.sighting?.silent_after(self.rules.silence(&self.timing, ttl)))
    }

    fn is_silent(&self, now: Moment, id: &MemberId) -> bool {
        self.silent_at(id).is_some_and(|at| now >= at)
    }

    /// Our own watching was broken: every count starts anew.
    pub fn mistrust(&mut self, now: Moment) {
        for entry in self.entries.values_mut() {
            if let Some(sighting) = &mut entry.sighting {
                sighting.mistrust(now);
            }
        }
        self.watch_all();
    }

    fn watch_all(&mut self) {
        let ids: Vec<MemberId> = self.entries.keys().cloned().collect();
        ids.iter().for_each(|id| self.watch(id));
    }

    /// It is proven that a process ended (O4).
    pub fn died(&mut self, process: Process) {
        self.dead.insert(process);
        let ids =
            self.entries.iter().filter(|(_, entry)| entry.readable().is_some_and(|r| r.process == process));
        self.dead_ids.extend(ids.map(|(id, _)| id.clone()));
        self.watch_all();
    }

    /// Whether the process behind an open record is proven dead.
    pub fn is_dead(&self, id: &MemberId) -> bool {
        let Some(record) = self.entries.get(id).and_then(SeenRecord::open) else { return false };
        self.rules.is_proven_dead(self.dead.contains(&record.process), self.dead_ids.contains(id))
    }

    /// The record that closes the one last seen of `id`, to be written over that very version.
    pub fn closing(&self, id: &MemberId, state: MemberState) -> Option<(Version, MemberRecord)> {
        let (entry, me) = (self.entries.get(id)?, self.me.clone()?);
        let open = entry.open()?;
        Some((entry.version.clone(), MemberRecord { state, by: Some(me), ..open.clone() }))
    }

    /// The ledger names these lives: those that no record shows are looked for.
    pub fn seek(&mut self, now: Moment, named: &BTreeSet<Life>) {
        let sought: BTreeSet<Life> = named.iter().filter(|life| self.is_missing(life)).cloned().collect();
        self.missing.retain(|life, missing| sought.contains(life) || missing.asked_at.is_some());
        for life in sought {
            self.missing.entry(life).or_insert_with(|| Missing::new(now));
        }
    }

    fn is_missing(&self, life: &Life) -> bool {
        let shown = self.entries.get(life.id()).is_some_and(|entry| match &entry.record {
            Ok(record) => record.line == life.incarnation().line,
            // Nothing is concluded from a record that can't be understood.
            Err(_) => true,
        });
        !shown && !self.is_closed(life)
    }

    /// The next missing life that is due for a fresh read, which is begun at `now`.
    pub fn ask(&mut self, now: Moment) -> Option<Life> {
        let due = |missing: &Missing| missing.asked_at.is_none() && now >= missing.next_at;
        let (life, missing) = self.missing.iter_mut().find(|(_, missing)| due(missing))?;
        missing.asked_at = Some(now);
        Some(life.clone())
    }

    /// The fresh read of a missing life's record was answered. Returns what could not be understood.
    pub fn answered(&mut self, now: Moment, life: &Life, reply: Reply) -> Option<Incompatible> {
        let asked_at = self.missing.get_mut(life).and_then(|missing| missing.asked_at.take())?;
        match reply {
            Reply::Absent => self.found_nothing(now, asked_at, life, false),
            Reply::Found(found) => return self.found_record(now, asked_at, life, found),
            _ => self.ask_later(now, life),
        }
        None
    }

    /// A record was found where one was missing: of the line that was missing, of another one, or one that says nothing.
    fn found_record(
        &mut self,
        now: Moment,
        asked_at: Moment,
        life: &Life,
        found: Versioned,
    ) -> Option<Incompatible> {
        let line = MemberRecord::decode(life.id(), &found.value, self.ttl_max).ok().map(|record| record.line);
        let unreadable = self.saw(now, asked_at, life.id().clone(), found);
        match line {
            Some(line) if line != life.incarnation().line => self.found_nothing(now, asked_at, life, true),
            Some(_) => drop(self.missing.remove(life)),
            None => self.ask_later(now, life),
        }
        unreadable
    }

    fn ask_later(&mut self, now: Moment, life: &Life) {
        if let Some(missing) = self.missing.get_mut(life) {
            missing.next_at = now + self.timing.poll;
        }
    }

    fn found_nothing(&mut self, now: Moment, asked_at: Moment, life: &Life, other_line: bool) {
        let wait = self.timing.silence(self.ttl_max);
        let Some(missing) = self.missing.get_mut(life) else { return };
        let since = *missing.absent_since.get_or_insert(now);
        missing.next_at = since + wait;
        if self.rules.is_lost(since, asked_at, wait, other_line) {
            self.missing.remove(life);
            self.lost.insert(life.clone());
            self.revision += 1;
        }
    }

    /// When the next missing life is due.
    pub fn deadline(&self) -> Option<Moment> {
        self.missing.values().filter_map(Missing::deadline).min()
    }

    /// A record was removed.
    pub fn removed(&mut self, id: &MemberId, version: &Version) {
        if self.entries.get(id).is_some_and(|entry| entry.version == *version) {
            self.remove(id);
            self.revision += 1;
        }
    }
}

/// Whether two records of a member differ in anything but their renewal.
fn differs(old: &MemberRecord, new: &MemberRecord) -> bool {
    let renewed = MemberRecord { seq: new.seq, at_ms: new.at_ms, ..old.clone() };
    renewed != *new
}
