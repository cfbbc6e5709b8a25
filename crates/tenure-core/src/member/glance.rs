//! One member's record, because a hint named it.
//!
//! Most hints tell of a renewal, which changes nothing but when it was seen. A whole look at each of them would make the
//! reads of a cluster grow with the cube of its members. So a hint about one member reads that record alone, or none at all
//! where the hint brought it; only news begins a whole look.
//!
//! What a hint brought may have been under way for long: it never counts as watching (O1), and is learnt only where it can be
//! told from an older record, which is within one line. A record of another line, or of a member that has none, is read:
//! learnt from an old hint, it would make the missing seem present and the silent fresh.
//!
//! A rumour is a hint from whomever: nothing is learnt from what it brought. It only spares the read where it would tell of a
//! renewal, and nothing else. Glances that find nothing new cost breath, so that nobody's word makes a member spin.

use std::collections::BTreeMap;
use std::time::Duration;

use super::breath::Breath;
use super::calls::Purpose;
use super::machine::Machine;
use super::{Action, Reply, Request, Versioned};
use crate::flaw::Flaw;
use crate::ids::MemberId;
use crate::moment::Moment;
use crate::record::Key;

/// The members being glanced at.
#[derive(Debug)]
pub(super) struct Glances {
    /// Whether another hint came while the read was under way.
    under_way: BTreeMap<MemberId, bool>,
    breath: Breath,
}

impl Glances {
    /// As many glances in vain as there may be looks that come `poll` after each other while nothing happens.
    pub(super) fn new(poll: Duration) -> Self {
        Self { under_way: BTreeMap::new(), breath: Breath::over(poll) }
    }

    /// Whether there is breath for one more that may be in vain.
    fn may_begin(&self, now: Moment) -> bool {
        now >= self.breath.earliest()
    }

    /// Whether a glance is to begin; if one is under way, another follows it.
    fn begin(&mut self, now: Moment, id: &MemberId) -> bool {
        if let Some(again) = self.under_way.get_mut(id) {
            *again = true;
            return false;
        }
        self.breath.take(now);
        self.under_way.insert(id.clone(), false).is_none()
    }

    /// Whether another glance is due.
    fn end(&mut self, id: &MemberId) -> bool {
        self.under_way.remove(id).unwrap_or(false)
    }
}

impl Machine {
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
        if self.config.flaws.has(Flaw::RumourBelieved) {
            return self.heard(now, id, record, out);
        }
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

    pub(super) fn glanced(&mut self, now: Moment, id: MemberId, reply: Reply, out: &mut Vec<Action>) {
        let again = self.glances.end(&id);
        match reply {
            Reply::Found(record) => {
                self.glances.breath.give_back();
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
        unreadable.into_iter().for_each(|error| self.tell_unreadable(error, out));
        self.look_at_news_since(now, before);
    }

    fn look_at_news_since(&mut self, now: Moment, revision: u64) {
        if self.roster.revision() != revision {
            self.look.hint(now);
        }
    }
}
