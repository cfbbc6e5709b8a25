//! What a look brought: pages, then members; and lives that the ledger names but no record shows.

use super::calls::Purpose;
use super::look::Next;
use super::machine::Machine;
use super::{Action, Notice, Reply, Request, When};
use crate::flaw::Flaw;
use crate::ids::Life;
use crate::moment::Moment;
use crate::record::{Incompatible, Key, LedgerPage};
use crate::shard::Tenancy;
use std::collections::BTreeSet;
use std::time::Duration;

/// How many times as often a member looks while a shard is on its way to it.
const IMPATIENCE: u32 = 4;

impl Machine {
    pub(super) fn page_read(
        &mut self,
        now: Moment,
        number: u32,
        generation: u64,
        reply: Reply,
        out: &mut Vec<Action>,
    ) {
        let good = !matches!(reply, Reply::Failed(_));
        let absent = reply == Reply::Absent;
        let found = if let Reply::Found(found) = &reply { Some(found.value.clone()) } else { None };
        if let Some(book) = &mut self.book
            && let Err(notice) = book.read(now, number, generation, reply)
        {
            out.push(Action::Notice(notice));
        }
        if let Some(bytes) = found.filter(|_| self.has_problem(number)) {
            self.doubt_lineage(&bytes, out);
        }
        self.tell_spent(number, out);
        if absent && self.config.flaws.has(Flaw::PageRecreated) {
            self.recreate(number, out);
        }
        if self.look.page_answered(now, good) == Next::List {
            self.call(Purpose::Members, Request::ListMembers, out);
        }
    }

    fn has_problem(&self, number: u32) -> bool {
        let leaf = self.book.as_ref().and_then(|book| book.leaves().get(number as usize));
        leaf.is_some_and(|leaf| leaf.problem.is_some())
    }

    /// Says once of each number of a page that it is used up.
    fn tell_spent(&mut self, number: u32, out: &mut Vec<Action>) {
        let spent: Vec<String> = self.book.iter().flat_map(|book| book.spent_on(number)).collect();
        for what in spent {
            self.tell_once(what, out);
        }
    }

    /// Whoever reads a record tells once of each version that can't be used. Our own has two readers, who read it again and again.
    pub(super) fn tell_unreadable(&mut self, error: Incompatible, out: &mut Vec<Action>) {
        let ours = error.key == Key::Member(self.config.id.clone());
        if ours && self.unreadable.replace(error.clone()).as_ref() == Some(&error) {
            return;
        }
        out.push(Action::Notice(Notice::Unreadable(error)));
    }

    pub(super) fn tell_once(&mut self, what: String, out: &mut Vec<Action>) {
        if self.told_spent.insert(what.clone()) {
            out.push(Action::Notice(Notice::Spent(what)));
        }
    }

    /// The seeded bug M40.
    fn recreate(&mut self, number: u32, out: &mut Vec<Action>) {
        let Some(book) = &self.book else { return };
        let page = LedgerPage::blank(book.meta().lineage, book.meta().page_len(number));
        let request = Request::Put { key: Key::Page(number), value: page.encode(), when: When::Absent };
        self.call(Purpose::Plan { number, page: Box::new(page), changed: 0 }, request, out);
    }

    pub(super) fn members_listed(&mut self, now: Moment, reply: Reply, out: &mut Vec<Action>) {
        let asked_at = self.look.listing_asked().unwrap_or(now);
        let good = if let Reply::Members(members) = reply {
            let unreadable = self.roster.listed(now, asked_at, members);
            unreadable.into_iter().for_each(|error| self.tell_unreadable(error, out));
            true
        } else {
            false
        };
        let poll = self.pace();
        self.look.end(now, good, poll, self.config.timing.acquire_retry_interval);
        self.collect(now, out);
    }

    /// How long after the beginning of a look the next one begins, while no hint comes. A little at random, and never
    /// longer: members that started together must not ask the store together for ever.
    fn pace(&mut self) -> Duration {
        let timing = &self.config.timing;
        let poll = if self.awaits_a_shard() { timing.poll / IMPATIENCE } else { timing.poll };
        poll.mul_f64(1.0 - self.entropy.share() / 8.0)
    }

    /// Whether a shard is promised to us: it may be without an owner until we see that the old one has let go.
    fn awaits_a_shard(&self) -> bool {
        self.tenancies.values().any(Tenancy::is_warming)
    }

    /// Looks more often while a shard is on its way to us.
    pub(super) fn hurry_looks(&mut self) {
        if self.awaits_a_shard() {
            self.look.hurry(self.config.timing.poll / IMPATIENCE);
        }
    }

    /// Looks for lives that the ledger names and no record shows (O3b). Looking needs no lease: whoever waits to join counts
    /// meanwhile, so that after a restart of all members the two waits run side by side.
    pub(super) fn seek_missing(&mut self, now: Moment, out: &mut Vec<Action>) {
        if self.estranged {
            return;
        }
        let known = Some(self.known(None));
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
        leaves.flat_map(|leaf| leaf.lives.iter().cloned()).collect()
    }
}
