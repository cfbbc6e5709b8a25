//! A cluster that gets another lineage under its members: it was recovered after its store forgot.
//!
//! A page of another lineage by itself means nothing but trouble with that page. If `meta` tells of another lineage too, everything that
//! this member knows belongs to a history that is over: it lapses, lets all work end, and finds the cluster anew, as if it had just
//! started.

use super::calls::Purpose;
use super::founding::Founding;
use super::glance::Glances;
use super::look::Look;
use super::machine::Machine;
use super::planner::Planner;
use crate::ids::Lineage;
use crate::ledger::Book;
use crate::message::{Action, LapseReason, Notice, Reply, Request};
use crate::moment::Moment;
use crate::record::{Key, LedgerPage, Meta};

impl Machine {
    pub(super) fn lineage(&self) -> Option<Lineage> {
        self.book.as_ref().map(|book| book.meta().lineage)
    }

    /// The ledger, unless it is of a history that is over: then nothing more is asked about it.
    pub(super) fn present_book(&self) -> Option<&Book> {
        self.book.as_ref().filter(|_| !self.estranged)
    }

    /// A page can't be used. If it is of another lineage, `meta` is asked.
    pub(super) fn doubt_lineage(&mut self, page: &[u8], out: &mut Vec<Action>) {
        let strange = LedgerPage::lineage_of(page).is_some_and(|lineage| Some(lineage) != self.lineage());
        if strange && !self.estranged && !self.calls.has(|purpose| matches!(purpose, Purpose::Lineage)) {
            self.call(Purpose::Lineage, Request::Get { key: Key::Meta, unless: None }, out);
        }
    }

    pub(super) fn lineage_read(&mut self, reply: &Reply, out: &mut Vec<Action>) {
        let Reply::Found(found) = reply else { return };
        let (Ok(meta), Some(ours)) = (Meta::decode(&found.value), self.lineage()) else { return };
        if self.config.rules.is_history_over(ours, meta.lineage) {
            self.estranged = true;
            let what = format!("the cluster is of lineage {} now, and was of {ours}", meta.lineage);
            out.push(Action::Notice(Notice::Recovered(what)));
        }
    }

    /// Once nothing of this member acts, and no answer about the old lineage is on its way, the cluster is found anew.
    pub(super) fn follow_lineage(&mut self, now: Moment, out: &mut Vec<Action>) {
        if !self.estranged {
            return;
        }
        self.with_keeper(now, out, |keeper, acts| keeper.lapse(LapseReason::Ousted, acts));
        let free = self.keeper.is_idle() && self.seats.is_empty() && self.leaving.is_none();
        if !free || !self.calls.is_empty() {
            return;
        }
        let poll = self.config.timing.poll;
        (self.estranged, self.book, self.founding) = (false, None, Some(Founding::new()));
        (self.look, self.glances) = (Look::new(poll), Glances::new(poll));
        (self.planner, self.sought) = (Planner::default(), None);
        self.seats.reconsider();
        self.closings.forget();
    }
}
