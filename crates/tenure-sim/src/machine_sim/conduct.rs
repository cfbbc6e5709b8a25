//! What a process was seen to do and to be told: by this its planning and its watching are judged.
//!
//! Nothing here is asked of a machine. It is what anybody could note who stands between a process and its store.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tenure_core::ids::{Epoch, Life, ShardId};
use tenure_core::message::{CallId, Notice, Reply, Request};
use tenure_core::moment::Moment;
use tenure_core::record::{Key, Version};

use super::MachineSim;
use crate::clock::Nanos;
use crate::store::seq_of;
use crate::surroundings::ProcessNo;
use crate::surroundings::member_id;

/// What a process was seen to do and to be told. Moments are those of its own clock.
#[derive(Debug, Default)]
pub(crate) struct Conduct {
    /// When it last joined.
    pub(crate) joined_at: Moment,
    /// Since when it has been told of the others without a gap, and its own renewals have not failed.
    pub(crate) watches_since: Moment,
    /// When it was last told of any other member.
    told_at: Moment,
    /// By page, when its last write of that page was answered.
    planned_at: BTreeMap<u32, Moment>,
    /// When the newest listing that it was answered was asked for, in true time.
    pub(crate) listing_asked: Nanos,
    /// Every listing that it was answered: when it was asked for, in true time, and when it came.
    shown: Vec<(Nanos, Moment)>,
    listings: Vec<(CallId, Nanos)>,
    reads: Vec<(CallId, u32)>,
    writes: Vec<(CallId, u32)>,
    glances: Vec<(CallId, ())>,
    /// When it first had each version of a page, in true time.
    had: Vec<(u32, Version, Nanos)>,
    /// The highest seq of its own record that it was told to be stored.
    pub(crate) stored_seq: u64,
    /// Writes of its own record that are not answered yet.
    pub(crate) own_writes: Vec<(CallId, u64)>,
    /// Epochs that it ended in its present life, as long as the ledger names them.
    pub(crate) resigned: Vec<(ShardId, Epoch)>,
    /// Lives that it took an epoch from which they had not given back: it knows that they are closed.
    pub(crate) buried: BTreeSet<Life>,
    /// Since when, after its last lapse, every call that was answered was answered well.
    well_since: Option<Moment>,
    /// Whether that was so for as long as it must wait before it joins again.
    pub(crate) recovered: bool,
}

impl Conduct {
    /// When it last joined, or a write of page `number` was last answered.
    pub(crate) fn quiet_since(&self, number: u32) -> Moment {
        self.planned_at.get(&number).map_or(self.joined_at, |planned| self.joined_at.max(*planned))
    }

    /// When it first had this version of a page.
    pub(crate) fn had_at(&self, number: u32, version: &Version) -> Option<Nanos> {
        self.had.iter().rev().find(|(n, v, _)| *n == number && v == version).map(|(_, _, at)| *at)
    }

    /// What is so far known of the store's health, at `local`.
    fn is_well_for(&mut self, local: Moment, window: Duration) {
        self.recovered |= self.well_since.is_some_and(|since| local.since(since) >= window);
    }

    /// A listing comes that was asked for at `asked`. If it shows the truth, and nothing was told for longer than any lease
    /// allows, every count begins anew. What is older than what one knows is no sight of it.
    fn is_shown(&mut self, asked: Nanos, local: Moment, longest: Option<Duration>) {
        let watched_before = self.told_at != Moment::ZERO;
        if longest.is_some_and(|longest| watched_before && local.since(self.told_at) > longest) {
            self.watches_since = local;
        }
        self.listing_asked = self.listing_asked.max(asked);
    }

    /// By when it must have seen what was true at `at`, if it must have: by the first listing asked for after that.
    pub(crate) fn shown_at(&self, at: Nanos) -> Option<Moment> {
        self.shown.iter().find(|(asked, _)| *asked >= at).map(|(_, shown)| *shown)
    }

    fn has(&mut self, now: Nanos, number: u32, version: &Version) {
        if self.had_at(number, version).is_none() {
            self.had.push((number, version.clone(), now));
        }
    }
}

impl MachineSim<'_> {
    /// Notes a call that a process makes.
    pub(crate) fn note_sent(&mut self, no: ProcessNo, call: CallId, request: &Request) {
        let proc = &mut self.procs[no];
        let (local, window) = (proc.clock.read(self.around.now), proc.timing.recover_window);
        let own = member_id(proc.member);
        let conduct = &mut proc.conduct;
        conduct.is_well_for(local, window);
        match request {
            Request::ListMembers => conduct.listings.push((call, self.around.now)),
            Request::Get { key: Key::Page(number), .. } => conduct.reads.push((call, *number)),
            Request::Put { key: Key::Page(number), .. } => conduct.writes.push((call, *number)),
            Request::Get { key: Key::Member(_), .. } => conduct.glances.push((call, ())),
            Request::Put { key: Key::Member(id), value, .. } if *id == own => {
                conduct.own_writes.extend(seq_of(value).map(|seq| (call, seq)));
            }
            Request::Get { .. } | Request::Put { .. } | Request::Delete { .. } => {}
        }
    }

    /// Notes an answer that reaches a process, before the process acts on it. When it was asked for, if it is a listing that
    /// shows the truth.
    pub(crate) fn note_answer(&mut self, no: ProcessNo, call: CallId, reply: &Reply) -> Option<Nanos> {
        let (now, local) = (self.around.now, self.procs[no].clock.read(self.around.now));
        let longest = Duration::from_nanos(self.around.shape.ttl()) / 3;
        let truthful_since = self.around.truthful_since();
        let window = self.procs[no].timing.recover_window;
        let conduct = &mut self.procs[no].conduct;
        conduct.is_well_for(local, window);
        conduct.well_since = match reply {
            Reply::Failed(_) => None,
            _ => conduct.well_since.or(Some(local)),
        };
        let mut listing = None;
        if let (Some((_, asked)), Reply::Members(_)) = (taken(&mut conduct.listings, call), reply) {
            listing = Some(asked).filter(|asked| *asked >= truthful_since);
            conduct.is_shown(asked, local, (asked >= truthful_since).then_some(longest));
            conduct.told_at = local;
            conduct.shown.push((asked, local));
        }
        if taken(&mut conduct.glances, call).is_some() {
            conduct.told_at = local;
        }
        if let (Some((_, seq)), Reply::Stored(_)) = (taken(&mut conduct.own_writes, call), reply) {
            conduct.stored_seq = conduct.stored_seq.max(seq);
        }
        if let (Some((_, number)), Reply::Found(found)) = (taken(&mut conduct.reads, call), reply) {
            conduct.has(now, number, &found.version);
        }
        let Some((_, number)) = taken(&mut conduct.writes, call) else { return listing };
        conduct.planned_at.insert(number, local);
        if let Reply::Stored(version) = reply {
            conduct.has(now, number, version);
        }
        listing
    }

    /// Notes that a hint brings a process the record of a member.
    pub(crate) fn note_heard(&mut self, no: ProcessNo) {
        let proc = &mut self.procs[no];
        proc.conduct.told_at = proc.clock.read(self.around.now);
    }

    /// Notes what a process says of its own lease.
    pub(crate) fn note_lease(&mut self, no: ProcessNo, notice: &Notice) {
        let proc = &mut self.procs[no];
        let local = proc.clock.read(self.around.now);
        match notice {
            Notice::Joined(_) => {
                proc.conduct.joined_at = local;
                proc.conduct.resigned.clear();
            }
            Notice::RenewalFailed { .. } => proc.conduct.watches_since = local,
            Notice::Lapsed { .. } => {
                proc.conduct.watches_since = local;
                // An answer that came together with the lapse counts.
                (proc.conduct.well_since, proc.conduct.recovered) = (Some(local), false);
            }
            _ => {}
        }
    }
}

fn taken<T: Copy>(calls: &mut Vec<(CallId, T)>, call: CallId) -> Option<(CallId, T)> {
    let place = calls.iter().position(|(other, _)| *other == call)?;
    Some(calls.swap_remove(place))
}
