//! What replies and hints lead to: pages, then members; one member that a hint named; lives that the ledger names but no record
//! shows; what became of our own writes.

use std::collections::BTreeSet;
use std::time::Duration;

use super::calls::Purpose;
use super::closing::collect;
use super::look::Next;
use super::machine::Machine;
use super::scribe::{Written, replied};
use crate::ids::{Life, MemberId};
use crate::message::{Action, Notice, Reply, Request, Versioned};
use crate::moment::Moment;
use crate::record::{Incompatible, Key, MemberRecord, MemberState};

/// How many times as often a member looks while a shard is on its way to it.
const IMPATIENCE: u32 = 4;

impl Machine {
    pub(super) fn answered(&mut self, now: Moment, purpose: Purpose, reply: Reply, out: &mut Vec<Action>) {
        match purpose {
            Purpose::Founding => self.founding_replied(now, reply, out),
            Purpose::Lease => self.with_keeper(now, out, |keeper, acts| keeper.reply(now, reply, acts)),
            Purpose::Page { number, generation } => self.page_read(now, number, generation, reply, out),
            Purpose::Lineage(asker) => self.lineage_read(now, asker, &reply, out),
            Purpose::Members => self.members_listed(now, reply, out),
            Purpose::Glance(id) => self.glanced(now, id, reply, out),
            Purpose::Seek(life) => {
                let unreadable = self.roster.answered(now, &life, reply);
                self.tell_unreadable(unreadable, out);
            }
            Purpose::Close { id, record } => self.close_replied(now, id, *record, reply, out),
            Purpose::Collect { id, version } if reply == Reply::Deleted => self.roster.removed(&id, &version),
            Purpose::Collect { .. } => {}
            Purpose::Plan { number, page, changed } => {
                self.plan_replied(now, number, Written { page: *page, changed }, reply, out);
            }
        }
    }

    fn page_read(&mut self, now: Moment, number: u32, generation: u64, reply: Reply, out: &mut Vec<Action>) {
        let Some(book) = &mut self.book else { return };
        let reply = self.config.rules.page_found(reply, number, book.meta());
        let good = !matches!(reply, Reply::Failed(_));
        let found = if let Reply::Found(found) = &reply { Some(found.value.clone()) } else { None };
        out.extend(book.read(now, number, generation, reply).err().map(Action::Notice));
        let strange = found.filter(|_| book.leaves()[number as usize].problem.is_some());
        let spent = book.spent_on(number).filter_map(|what| self.told.spent(what));
        out.extend(spent.map(Action::Notice));
        if let Some(bytes) = strange {
            self.doubt_lineage(&bytes, out);
        }
        let next = self.look.page_answered(now, good);
        self.look_on(next, out);
    }

    /// Goes on with the look under way.
    pub(super) fn look_on(&mut self, next: Next, out: &mut Vec<Action>) {
        match next {
            Next::Nothing => {}
            Next::List => self.call(Purpose::Members, Request::ListMembers, out),
        }
    }

    pub(super) fn tell_unreadable(
        &mut self,
        errors: impl IntoIterator<Item = Incompatible>,
        out: &mut Vec<Action>,
    ) {
        let notices = errors.into_iter().filter_map(|error| self.told.unreadable(&self.config.id, error));
        out.extend(notices.map(Action::Notice));
    }

    fn members_listed(&mut self, now: Moment, reply: Reply, out: &mut Vec<Action>) {
        let asked_at = self.look.listing_asked().unwrap_or(now);
        let good = matches!(reply, Reply::Members(_));
        if let Reply::Members(members) = reply {
            let unreadable = self.roster.listed(now, asked_at, members);
            self.tell_unreadable(unreadable, out);
        }
        let poll = self.pace();
        self.look.end(now, good, poll, self.config.timing.acquire_retry_interval);
        self.collect(now, out);
    }

    fn collect(&mut self, now: Moment, out: &mut Vec<Action>) {
        let (Some(knowledge), Some(looked)) = (self.knowledge(now), self.look.seen_whole) else { return };
        if knowledge.ends.life.is_some() {
            let calls = collect(&knowledge, looked, &self.planner);
            self.call_all(calls, out);
        }
    }

    /// How long after the beginning of a look the next one begins, while no hint comes. A little at random, and never
    /// longer: members that started together must not ask the store together for ever.
    fn pace(&mut self) -> Duration {
        let timing = &self.config.timing;
        let poll = if self.seats.awaits_a_shard() { timing.poll / IMPATIENCE } else { timing.poll };
        poll.mul_f64(1.0 - self.entropy.share() / 8.0)
    }

    /// Looks more often while a shard is on its way to us.
    pub(super) fn hurry_looks(&mut self) {
        if self.seats.awaits_a_shard() {
            self.look.hurry(self.config.timing.poll / IMPATIENCE);
        }
    }

    /// Looks for lives that the ledger names and no record shows (O3b). Looking needs no lease: a member that waits to join counts
    /// meanwhile, so that after a restart of all members the two waits run side by side.
    pub(super) fn seek_missing(&mut self, now: Moment, out: &mut Vec<Action>) {
        if self.history.is_over() {
            return;
        }
        let known = self.knowledge(now).map(|knowledge| knowledge.known());
        if self.sought != known {
            self.sought = known;
            let named = self.named_lives();
            self.roster.seek(now, &named);
        }
        while let Some(life) = self.roster.ask(now) {
            let key = Key::Member(life.id().clone());
            self.call(Purpose::Seek(life), Request::Get { key, unless: None }, out);
        }
    }

    fn named_lives(&self) -> BTreeSet<Life> {
        let leaves = self.book.iter().flat_map(|book| book.leaves());
        leaves.flat_map(|leaf| leaf.lives().map(|(life, _)| life.clone())).collect()
    }

    /// Something may have changed in the store.
    pub(super) fn hinted(&mut self, now: Moment, key: Option<Key>, out: &mut Vec<Action>) {
        match key {
            Some(Key::Member(id)) if self.may_glance(now) => self.glance(now, id, out),
            Some(Key::Member(_) | Key::Page(_) | Key::Meta) | None => self.look.hint(now),
        }
    }

    fn may_glance(&self, now: Moment) -> bool {
        self.present_book().is_some() && !self.look.rests(now) && self.glances.may_begin(now)
    }

    /// A member's record came with a hint.
    pub(super) fn heard(&mut self, now: Moment, id: MemberId, record: &Versioned, out: &mut Vec<Action>) {
        let before = self.roster.revision();
        if self.book.is_none() || !self.roster.heard(now, &id, record) {
            return self.hinted(now, Some(Key::Member(id)), out);
        }
        self.look_at_news_since(now, before);
    }

    /// Somebody says what a member's record holds.
    pub(super) fn rumoured(&mut self, now: Moment, id: MemberId, record: &Versioned, out: &mut Vec<Action>) {
        if self.roster.would_be_news(&id, record) {
            self.hinted(now, Some(Key::Member(id)), out);
        }
    }

    fn glance(&mut self, now: Moment, id: MemberId, out: &mut Vec<Action>) {
        if !self.glances.begin(now, &id) {
            return;
        }
        let unless = self.roster.entry(&id).map(|entry| entry.version.clone());
        let key = Key::Member(id.clone());
        self.call(Purpose::Glance(id), Request::Get { key, unless }, out);
    }

    fn glanced(&mut self, now: Moment, id: MemberId, reply: Reply, out: &mut Vec<Action>) {
        let again = self.glances.end(&id);
        match reply {
            Reply::Found(record) => {
                self.glances.was_worth_it();
                self.member_seen(now, id.clone(), record, out);
            }
            Reply::Unchanged => {}
            // A record that is gone is for a listing to tell; so is what a store in trouble could not.
            _ => self.look.hint(now),
        }
        if again {
            self.hinted(now, Some(Key::Member(id)), out);
        }
    }

    fn member_seen(&mut self, now: Moment, id: MemberId, record: Versioned, out: &mut Vec<Action>) {
        let before = self.roster.revision();
        let unreadable = self.roster.saw(now, now, id, record);
        self.tell_unreadable(unreadable, out);
        self.look_at_news_since(now, before);
    }

    fn look_at_news_since(&mut self, now: Moment, revision: u64) {
        if self.roster.revision() != revision {
            self.look.hint(now);
        }
    }

    fn close_replied(
        &mut self,
        now: Moment,
        id: MemberId,
        record: MemberRecord,
        reply: Reply,
        out: &mut Vec<Action>,
    ) {
        let Reply::Stored(version) = reply else {
            self.closings.failed(id, now + self.config.timing.acquire_retry_interval);
            self.look.hint(now);
            return out.push(Action::Notice(Notice::Retry));
        };
        self.closings.closed(&id);
        let life = record.life(&id);
        let proven = record.state == MemberState::Gone;
        self.roster.learn(now, id, version, record);
        out.push(Action::Notice(if proven { Notice::ProvenDead(life) } else { Notice::Deposed(life) }));
    }

    fn plan_replied(
        &mut self,
        now: Moment,
        number: u32,
        written: Written,
        reply: Reply,
        out: &mut Vec<Action>,
    ) {
        self.planner.page_was_written(number);
        if matches!(reply, Reply::Failed(_)) {
            self.look.rest(now + self.config.timing.acquire_retry_interval);
        }
        self.look.hint(now);
        let Some(book) = &mut self.book else { return };
        let notice = replied(now, book.leaf_mut(number), written, reply, self.config.rules);
        out.extend(notice.map(Action::Notice));
    }
}
