//! Closing others: the silent (O2), the proven dead (O4); and removing the records of those long gone (G2).

use std::collections::BTreeMap;

use super::calls::Purpose;
use super::machine::Machine;
use crate::flaw::{ANY_VERSION, Flaw};
use crate::ids::MemberId;
use crate::message::{Action, Notice, Reply, Request, When};
use crate::moment::Moment;
use crate::plan::rank;
use crate::record::{Key, MemberRecord, MemberState, Version};

/// Whom this member is about to close.
#[derive(Debug, Default)]
pub(super) struct Closings {
    begun: BTreeMap<MemberId, Begun>,
    /// When somebody will be silent, or our turn to write comes.
    pub wake_at: Option<Moment>,
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
}

impl Machine {
    pub(super) fn close_others(&mut self, now: Moment, out: &mut Vec<Action>) {
        self.closings.wake_at = None;
        if self.keeper.life().is_none() || self.config.flaws.has(Flaw::NobodyDeposes) {
            return;
        }
        let ids = self.roster.entries().map(|(id, _)| id.clone());
        let others: Vec<MemberId> = ids.filter(|id| *id != self.config.id).collect();
        for id in others {
            self.consider_closing(now, id, out);
        }
    }

    fn consider_closing(&mut self, now: Moment, id: MemberId, out: &mut Vec<Action>) {
        let dead = self.roster.is_dead(&id);
        let Some(silent_at) = self.roster.silent_at(&id) else {
            self.closings.begun.remove(&id);
            return;
        };
        if !dead && now < silent_at {
            self.closings.begun.remove(&id);
            return self.wake_for_closing(silent_at);
        }
        let turn = self.closing_turn(&id);
        let begun = self.closings.begun.entry(id.clone()).or_insert(Begun { since: now, writing: false });
        let due = begun.since + turn;
        match begun.writing {
            true => {}
            false if now < due => self.wake_for_closing(due),
            false => {
                begun.writing = true;
                self.close(id, if dead { MemberState::Gone } else { MemberState::Deposed }, out);
            }
        }
    }

    fn wake_for_closing(&mut self, at: Moment) {
        self.closings.wake_at = Some(self.closings.wake_at.map_or(at, |wake| wake.min(at)));
    }

    /// Members take turns, so that normally one writes and the others find it done.
    fn closing_turn(&self, id: &MemberId) -> std::time::Duration {
        let active = self.planning.active_ids().filter(|other| *other != id);
        self.config.timing.stagger * rank(id.as_str(), &self.config.id, active)
    }

    fn close(&mut self, id: MemberId, state: MemberState, out: &mut Vec<Action>) {
        let Some((version, mut record)) = self.roster.closing(&id, state) else { return };
        record.at_ms = self.wall_ms;
        let any = self.config.flaws.has(Flaw::DeposeAnyVersion);
        let version = if any { Version::new(ANY_VERSION) } else { version };
        let request =
            Request::Put { key: Key::Member(id.clone()), value: record.encode(), when: When::Is(version) };
        self.call(Purpose::Close { id, record: Box::new(record) }, request, out);
    }

    pub(super) fn close_replied(
        &mut self,
        now: Moment,
        id: MemberId,
        record: MemberRecord,
        reply: Reply,
        out: &mut Vec<Action>,
    ) {
        self.closings.begun.remove(&id);
        let Reply::Stored(version) = reply else {
            // Somebody else closed it, or it renewed, or nobody knows: look, and do not write again before that.
            let since = now + self.config.timing.acquire_retry_interval;
            self.closings.begun.insert(id, Begun { since, writing: false });
            self.look.hint(now);
            return out.push(Action::Notice(Notice::Retry));
        };
        let life = record.life(&id);
        let proven = record.state == MemberState::Gone;
        self.roster.learn(now, id, version, record);
        out.push(Action::Notice(if proven { Notice::ProvenDead(life) } else { Notice::Deposed(life) }));
    }

    /// G2: removes the records of members long gone that no page names. Too early costs time, never safety.
    pub(super) fn collect(&mut self, now: Moment, out: &mut Vec<Action>) {
        let (Some(book), Some(looked), Some(_)) = (&self.book, self.look.seen_whole, self.keeper.life())
        else {
            return;
        };
        let retention = book.meta().ttl_max() * 10;
        let named =
            |id: &MemberId| book.leaves().iter().any(|leaf| leaf.lives.iter().any(|life| life.id() == id));
        let hasty = self.config.flaws.has(Flaw::CollectedEarly);
        let old = self.roster.entries().filter(|(id, entry)| {
            let closed = entry.readable().is_some_and(|record| !record.state.is_open());
            let over = looked >= entry.version_seen && now >= entry.version_seen + retention && !named(id);
            closed && (over || hasty)
        });
        let mine = |id: &MemberId| rank(id.as_str(), &self.config.id, self.planning.active_ids()) == 0;
        let old: Vec<(MemberId, Version)> =
            old.filter(|(id, _)| mine(id)).map(|(id, entry)| (id.clone(), entry.version.clone())).collect();
        for (id, version) in old {
            let request = Request::Delete { key: Key::Member(id.clone()), version: version.clone() };
            self.call(Purpose::Collect { id, version }, request, out);
        }
    }

    pub(super) fn collect_replied(&mut self, id: &MemberId, version: &Version, reply: &Reply) {
        if *reply == Reply::Deleted {
            self.roster.removed(id, version);
        }
    }
}
