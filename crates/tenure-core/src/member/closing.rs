//! Closing others: the silent (O2), the proven dead (O4); and removing the records of those long gone (G2).

use std::collections::BTreeMap;
use std::time::Duration;

use super::calls::Purpose;
use super::knowledge::{Ends, Knowledge};
use super::planner::Planner;
use crate::ids::MemberId;
use crate::message::Request;
use crate::moment::Moment;
use crate::plan::rank;
use crate::record::{Key, MemberState, Version};

/// Whom this member is about to close.
#[derive(Debug, Default)]
pub(super) struct Closings {
    begun: BTreeMap<MemberId, Begun>,
    /// When somebody will be silent, or our turn to write comes.
    wake_at: Option<Moment>,
}

#[derive(Debug)]
struct Begun {
    since: Moment,
    writing: bool,
}

impl Closings {
    pub(super) fn forget(&mut self) {
        self.begun.clear();
    }

    pub(super) fn deadline(&self) -> Option<Moment> {
        self.wake_at
    }

    /// Without a lease nobody is closed.
    pub(super) fn rest(&mut self) {
        self.wake_at = None;
    }

    /// Closes whoever is silent, or proven dead, once it is our turn.
    pub(super) fn advance(&mut self, ends: &Ends<'_>, planner: &Planner) -> Vec<(MemberId, MemberState)> {
        self.wake_at = ends.roster.next_silence();
        let ended: Vec<&MemberId> = ends.roster.suspects().collect();
        self.begun.retain(|id, _| ended.contains(&id));
        let mut due = Vec::new();
        for id in ended {
            let at = self.due_at(ends, planner, id);
            match at {
                None => {}
                Some(at) if ends.now < at => self.wake(at),
                Some(_) => due.extend(self.write(ends, id)),
            }
        }
        due
    }

    /// When it is our turn; `None` while a write is under way.
    fn due_at(&mut self, ends: &Ends<'_>, planner: &Planner, id: &MemberId) -> Option<Moment> {
        let begun = self.begun.entry(id.clone()).or_insert(Begun { since: ends.now, writing: false });
        (!begun.writing).then(|| begun.since + turn(ends, planner, id))
    }

    fn write(&mut self, ends: &Ends<'_>, id: &MemberId) -> Option<(MemberId, MemberState)> {
        self.begun.get_mut(id)?.writing = true;
        let state = if ends.roster.is_dead(id) { MemberState::Gone } else { MemberState::Deposed };
        Some((id.clone(), state))
    }

    fn wake(&mut self, at: Moment) {
        self.wake_at = Some(self.wake_at.map_or(at, |wake| wake.min(at)));
    }

    /// The member is closed.
    pub(super) fn closed(&mut self, id: &MemberId) {
        self.begun.remove(id);
    }

    /// Somebody else closed it, or it renewed, or nobody knows: it is not written again before a look had time to tell.
    pub(super) fn failed(&mut self, id: MemberId, since: Moment) {
        self.begun.insert(id, Begun { since, writing: false });
    }
}

/// Members take turns, so that normally one writes and the others find it done.
fn turn(ends: &Ends<'_>, planner: &Planner, id: &MemberId) -> Duration {
    let active = planner.active_ids().filter(|other| *other != id);
    ends.config.timing.stagger * rank(id.as_str(), &ends.config.id, active)
}

/// The call that closes a member.
pub(super) fn close(
    ends: &Ends<'_>,
    id: MemberId,
    state: MemberState,
    wall_ms: Option<u64>,
) -> Option<(Purpose, Request)> {
    let (version, mut record) = ends.roster.closing(&id, state)?;
    record.at_ms = wall_ms;
    let when = ends.config.rules.closes_over(&version);
    let (key, value) = (Key::Member(id.clone()), record.encode());
    Some((Purpose::Close { id, record: Box::new(record) }, Request::Put { key, value, when }))
}

/// G2: the calls that remove the records of members long gone which no page names. Too early costs time, never safety.
pub(super) fn collect(
    knowledge: &Knowledge<'_>,
    looked: Moment,
    planner: &Planner,
) -> Vec<(Purpose, Request)> {
    let (ends, book) = (&knowledge.ends, knowledge.book);
    let retention = book.meta().ttl_max() * 10;
    let named =
        |id: &MemberId| book.leaves().iter().any(|leaf| leaf.lives().any(|(life, _)| life.id() == id));
    let old = ends.roster.entries().filter(|(id, entry)| {
        let closed = entry.readable().is_some_and(|record| !record.state.is_open());
        let over = looked >= entry.version_seen && ends.now >= entry.version_seen + retention;
        closed && ends.config.rules.may_remove(over, || named(id))
    });
    let mine = |id: &MemberId| rank(id.as_str(), &ends.config.id, planner.active_ids()) == 0;
    let removal = |id: &MemberId, version: &Version| {
        let request = Request::Delete { key: Key::Member(id.clone()), version: version.clone() };
        (Purpose::Collect { id: id.clone(), version: version.clone() }, request)
    };
    old.filter(|(id, _)| mine(id)).map(|(id, entry)| removal(id, &entry.version)).collect()
}
