//! A cluster that gets another lineage under its members: it was recovered after its store forgot.
//!
//! A page of another lineage by itself means nothing but trouble with that page. If `meta` tells of another lineage too, everything that
//! this member knows belongs to a history that is over: it lapses, lets all work end, and finds the cluster anew, as if it had just
//! started.
//!
//! A member may also sleep through a whole recovery, and wake with a page in its memory that bears the version of another page by now,
//! for a restored store may give versions out twice. So each life reads `meta` once its join has landed, and does nothing before. A member
//! that lapsed also reads it before it joins: one that joins and does nothing would be given shards.

use super::calls::Purpose;
use super::founding::Founding;
use super::glance::Glances;
use super::look::Look;
use super::machine::Machine;
use super::planner::Planner;
use crate::ids::{Incarnation, Lineage};
use crate::ledger::Book;
use crate::message::{Action, LapseReason, Notice, Reply, Request};
use crate::moment::Moment;
use crate::record::{Formation, Key, LedgerPage, Meta};

/// Whether the cluster is still the one that this member found.
#[derive(Debug, Default)]
pub(super) struct History {
    /// It has another lineage by now.
    is_over: bool,
    /// It had not since the last lease lapsed.
    is_present: bool,
    /// The life that has read, after its join, that it has not.
    confirmed: Option<Incarnation>,
    /// When `meta` is asked again, after an answer that was of no use.
    again_at: Moment,
}

impl History {
    /// The cluster was found.
    pub(super) fn begin(&mut self) {
        *self = Self { is_present: true, ..Self::default() };
    }

    /// A lease lapsed: until `meta` was read again, anything may have happened.
    pub(super) fn doubt(&mut self) {
        self.is_present = false;
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }
}

impl Machine {
    pub(super) fn lineage(&self) -> Option<Lineage> {
        self.book.as_ref().map(|book| book.meta().lineage)
    }

    /// The ledger, unless it is of a history that is over: then nothing more is asked about it.
    pub(super) fn present_book(&self) -> Option<&Book> {
        self.book.as_ref().filter(|_| !self.history.is_over)
    }

    /// A page can't be used. If it is of another lineage, `meta` is asked.
    pub(super) fn doubt_lineage(&mut self, page: &[u8], out: &mut Vec<Action>) {
        let strange = LedgerPage::lineage_of(page).is_some_and(|lineage| Some(lineage) != self.lineage());
        if strange && !self.history.is_over && !self.asks_lineage() {
            self.ask_lineage(out);
        }
    }

    /// Asks `meta` whether this life is one of the cluster that was found.
    pub(super) fn confirm_lineage(&mut self, now: Moment, out: &mut Vec<Action>) {
        if self.confirm_at().is_some_and(|at| now >= at) {
            self.ask_lineage(out);
        }
    }

    /// When to ask next.
    pub(super) fn confirm_at(&self) -> Option<Moment> {
        let due = self.present_book().is_some() && !self.is_confirmed() && !self.asks_lineage();
        due.then_some(self.history.again_at)
    }

    /// Whether a member without a lease may join, and one with a lease may do anything but renew it and look.
    pub(super) fn is_confirmed(&self) -> bool {
        let confirmed = match self.incarnation() {
            Some(life) => self.history.confirmed == Some(life),
            None => self.history.is_present,
        };
        self.config.rules.is_sure_of_cluster(confirmed)
    }

    fn asks_lineage(&self) -> bool {
        self.calls.has(|purpose| matches!(purpose, Purpose::Lineage(_)))
    }

    fn ask_lineage(&mut self, out: &mut Vec<Action>) {
        let request = Request::Get { key: Key::Meta, unless: None };
        self.call(Purpose::Lineage(self.incarnation()), request, out);
    }

    /// An answer, to a question of a life that had joined by then, or of none.
    pub(super) fn lineage_read(
        &mut self,
        now: Moment,
        asker: Option<Incarnation>,
        reply: &Reply,
        out: &mut Vec<Action>,
    ) {
        self.history.again_at = now + self.config.timing.poll;
        let Reply::Found(found) = reply else { return };
        let (meta, ours) = match (Meta::decode(&found.value), self.lineage()) {
            (Ok(meta), Some(ours)) => (meta, ours),
            (Err(error), _) => return self.tell_unreadable([error], out),
            (Ok(_), None) => return,
        };
        if self.config.rules.is_history_over(ours, meta.lineage) {
            self.history.is_over = true;
            let what = format!("the cluster is of lineage {} now, and was of {ours}", meta.lineage);
            return out.push(Action::Notice(Notice::Recovered(what)));
        }
        if meta.state == Formation::Ready {
            (self.history.is_present, self.history.confirmed) = (true, asker);
        }
    }

    /// Once nothing of this member acts, and no answer about the old lineage is on its way, the cluster is found anew.
    pub(super) fn follow_lineage(&mut self, now: Moment, out: &mut Vec<Action>) {
        if !self.history.is_over {
            return;
        }
        self.with_keeper(now, out, |keeper, acts| keeper.lapse(LapseReason::Ousted, acts));
        let free = self.keeper.is_idle() && self.seats.is_empty() && self.leaving.is_none();
        if !free || !self.calls.is_empty() {
            return;
        }
        let poll = self.config.timing.poll;
        (self.history, self.book, self.founding) = (History::default(), None, Some(Founding::new()));
        (self.look, self.glances) = (Look::new(poll), Glances::new(poll));
        (self.planner, self.sought) = (Planner::default(), None);
        self.seats.reconsider();
        self.closings.forget();
    }
}
