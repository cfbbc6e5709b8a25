//! The machine itself: routes what happened to the parts, and asks them what to do.
//!
//! Time comes first, then the event (L3); then every part settles: the lease, the shards' work, the seats that the ledger
//! gives us, the members to close, the steps to take, the way out.

use super::calls::{Calls, Purpose};
use super::closing::Closings;
use super::founding::{Founding, FoundingAct};
use super::glance::Glances;
use super::health::Health;
use super::knowledge::{Ends, Knowledge, Known};
use super::leaving::Leaving;
use super::lineage::History;
use super::look::Look;
use super::planner::Planner;
use super::releases::Releases;
use super::seats::{Deeds, Ground, Seats};
use super::told::Told;
use crate::config::Config;
use crate::entropy::Entropy;
use crate::guard::Lease;
use crate::ids::{Epoch, Incarnation, Life, ShardId};
use crate::lease::{Keeper, Word};
use crate::ledger::Book;
use crate::message::{Action, CallId, Ending, Event, LapseReason, Notice, Outcome, Reply, Request};
use crate::moment::Moment;
use crate::record::{Key, Meta};
use crate::roster::Roster;

/// One member, from start to end.
#[derive(Debug)]
pub struct Machine {
    pub(super) config: Config,
    pub(super) entropy: Entropy,
    pub(super) wall_ms: Option<u64>,
    pub(super) calls: Calls,
    pub(super) founding: Option<Founding>,
    pub(super) keeper: Keeper,
    pub(super) book: Option<Book>,
    pub(super) roster: Roster,
    pub(super) look: Look,
    pub(super) glances: Glances,
    /// How much was known when lives were last looked for that no record shows.
    pub(super) sought: Option<Known>,
    pub(super) seats: Seats,
    pub(super) releases: Releases,
    pub(super) closings: Closings,
    pub(super) planner: Planner,
    pub(super) leaving: Option<Leaving>,
    pub(super) health: Health,
    pub(super) told: Told,
    pub(super) history: History,
    pub(super) ended: bool,
}

impl Machine {
    /// A machine that waits for [`Event::Start`].
    pub fn new(config: Config, mut entropy: Entropy) -> Self {
        let keeper = Keeper::new(config.clone(), Entropy::new(entropy.bits()));
        let roster = Roster::new(config.id.clone(), config.timing.clone(), config.ttl_max, config.rules);
        Self {
            look: Look::new(config.timing.poll),
            glances: Glances::new(config.timing.poll),
            config,
            entropy,
            wall_ms: None,
            calls: Calls::default(),
            founding: None,
            keeper,
            book: None,
            roster,
            sought: None,
            seats: Seats::default(),
            releases: Releases::default(),
            closings: Closings::default(),
            planner: Planner::default(),
            leaving: None,
            health: Health::default(),
            told: Told::default(),
            history: History::default(),
            ended: false,
        }
    }

    /// What the wall clock shows, in milliseconds since 1970: for the people who read records. A machine that is never told
    /// writes records without it; one that is told nonsense decides nothing by it.
    pub fn wall_clock(&mut self, wall_ms: u64) {
        self.wall_ms = Some(wall_ms);
        self.keeper.wall_clock(wall_ms);
    }

    /// Something happened at `now`. Time comes first: a lease that is over by `now` is over before the event is seen.
    pub fn handle(&mut self, now: Moment, event: Event, out: &mut Vec<Action>) {
        if self.ended {
            return;
        }
        self.advance_lease(self.config.rules.time_before_event(now), out);
        let event = self.config.rules.taken_for(event);
        let idle = self.is_idle_reply(&event);
        self.happened(now, event, out);
        if !idle {
            self.settle(now, out);
        }
    }

    /// The work of many shards ended by `now`: as if each were told, but what follows from all of them is decided once.
    /// One by one, a member that gives up a hundred thousand shards would go through its ledger as often.
    pub fn handle_ended(
        &mut self,
        now: Moment,
        ended: impl IntoIterator<Item = (ShardId, Epoch, Outcome)>,
        out: &mut Vec<Action>,
    ) {
        if self.ended {
            return;
        }
        self.advance_lease(now, out);
        for one in ended {
            self.work_ended(now, one, out);
        }
        self.settle(now, out);
    }

    /// One of many pages, read and found unchanged: nothing was learnt, and the look goes on.
    fn is_idle_reply(&self, event: &Event) -> bool {
        matches!(event, Event::Reply { reply: Reply::Unchanged, .. }) && !self.look.is_at_last_page()
    }

    /// Time passed. Calling early is harmless.
    pub fn advance(&mut self, now: Moment, out: &mut Vec<Action>) {
        if !self.ended {
            self.settle(now, out);
        }
    }

    /// When to call [`Machine::advance`] next.
    pub fn deadline(&self) -> Option<Moment> {
        if self.ended {
            return None;
        }
        let looks = self.present_book().and_then(|_| self.look.deadline());
        let founding = self.founding.as_ref().and_then(Founding::deadline);
        let work = self.seats.deadline();
        let parts = [self.keeper.deadline(), founding, looks, work, self.others_deadline(), self.rejoin_at()];
        parts.into_iter().flatten().min()
    }

    /// The cell that says how long this member may act. One cell for all lives of the machine.
    pub fn lease(&self) -> &Lease {
        self.keeper.lease()
    }

    /// The present life; `None` while there is no lease.
    pub fn incarnation(&self) -> Option<Incarnation> {
        self.keeper.life().map(Life::incarnation)
    }

    fn others_deadline(&self) -> Option<Moment> {
        let confirm = self.confirm_at();
        if self.keeper.life().is_none() {
            return confirm;
        }
        let leaving = self.leaving.as_ref().and_then(|leaving| leaving.deadline(&self.config.timing));
        let parts =
            [self.roster.deadline(), self.closings.deadline(), self.planner.deadline(), leaving, confirm];
        parts.into_iter().flatten().min()
    }

    fn happened(&mut self, now: Moment, event: Event, out: &mut Vec<Action>) {
        match event {
            Event::Start => self.founding = self.founding.take().or_else(|| Some(Founding::new())),
            Event::Reply { call, reply } => self.replied(now, call, reply, out),
            Event::Hint(key) => self.hinted(now, key, out),
            Event::Heard { id, record } => self.heard(now, id, &record, out),
            Event::Rumour { id, record } => self.rumoured(now, id, &record, out),
            Event::Grant(grant) => self.seats.granted(grant),
            Event::Ended { shard, epoch, outcome } => self.work_ended(now, (shard, epoch, outcome), out),
            Event::Died(process) => {
                self.roster.died(process);
                self.keeper.died(now, process);
            }
            Event::ClockFault(why) => self.with_keeper(now, out, |keeper, acts| {
                keeper.lapse(LapseReason::Clock(why), acts);
            }),
            Event::Want(shards) => self.keeper.say(Word::Wants(shards.into_iter().collect())),
            Event::Leave => self.leave(now, false),
            Event::Hurry => self.leave(now, true),
        }
    }

    fn settle(&mut self, now: Moment, out: &mut Vec<Action>) {
        self.advance_lease(now, out);
        self.follow_lineage(now, out);
        self.confirm_lineage(now, out);
        self.advance_founding(now, out);
        self.with_seats(now, out, |seats, ground, deeds| seats.advance(ground, deeds));
        self.advance_look(now, out);
        self.take_seats(now, out);
        self.give_back(now, out);
        self.forget_released();
        self.roster.pass(now);
        self.close_others(now, out);
        self.seek_missing(now, out);
        self.take_steps(now, out);
        self.advance_leaving(now, out);
        self.rejoin(now);
        self.advance_lease(now, out);
    }

    pub(super) fn call_all(&mut self, calls: Vec<(Purpose, Request)>, out: &mut Vec<Action>) {
        for (purpose, request) in calls {
            self.call(purpose, request, out);
        }
    }

    pub(super) fn call(&mut self, purpose: Purpose, request: Request, out: &mut Vec<Action>) {
        let call = self.calls.begin(purpose);
        out.push(Action::Call { call, request });
    }

    fn replied(&mut self, now: Moment, call: CallId, reply: Reply, out: &mut Vec<Action>) {
        let Some(purpose) = self.calls.end(call) else { return };
        self.health.answered(now, !matches!(reply, Reply::Failed(_)));
        self.answered(now, purpose, reply, out);
    }

    pub(super) fn end(&mut self, ending: Ending, out: &mut Vec<Action>) {
        self.ended = true;
        out.push(Action::End(ending));
    }

    /// When a member without a lease joins, if it is free to.
    fn rejoin_at(&self) -> Option<Moment> {
        let free = self.present_book().is_some()
            && self.keeper.is_idle()
            && self.config.rules.may_rejoin(self.seats.is_empty())
            && self.is_confirmed()
            && self.leaving.is_none();
        self.health.join_at(&self.config).filter(|_| free)
    }

    fn rejoin(&mut self, now: Moment) {
        if let (Some(at), Some(book)) = (self.rejoin_at(), &self.book)
            && now >= at
        {
            self.keeper.join(now, book.meta().ttl_max());
        }
    }

    fn advance_founding(&mut self, now: Moment, out: &mut Vec<Action>) {
        let mut deeds = Vec::new();
        if let Some(founding) = &mut self.founding {
            founding.advance(now, &mut deeds);
        }
        self.founding_did(now, deeds, out);
    }

    pub(super) fn founding_replied(&mut self, now: Moment, reply: Reply, out: &mut Vec<Action>) {
        let mut deeds = Vec::new();
        if let Some(founding) = &mut self.founding {
            founding.reply(now, reply, &self.config, &mut self.entropy, &mut deeds);
        }
        self.founding_did(now, deeds, out);
    }

    fn founding_did(&mut self, now: Moment, deeds: Vec<FoundingAct>, out: &mut Vec<Action>) {
        for deed in deeds {
            match deed {
                FoundingAct::Call(request) => self.call(Purpose::Founding, request, out),
                FoundingAct::Tell(notice) => out.push(Action::Notice(notice)),
                FoundingAct::Refuse(ending) => self.end(ending, out),
                FoundingAct::Found(meta) => self.found(now, meta, out),
            }
        }
    }

    fn found(&mut self, now: Moment, meta: Meta, out: &mut Vec<Action>) {
        out.push(Action::Notice(Notice::Found { shards: meta.shards }));
        self.roster = Roster::new(
            self.config.id.clone(),
            self.config.timing.clone(),
            meta.ttl_max(),
            self.config.rules,
        );
        self.book = Some(Book::new(meta));
        self.history.begin();
        self.look.hint(now);
    }

    fn advance_look(&mut self, now: Moment, out: &mut Vec<Action>) {
        let Some(book) = self.present_book().filter(|_| self.look.is_due(now)) else { return };
        let asks: Vec<(Purpose, Request)> = book
            .leaves()
            .iter()
            .zip(0..)
            .map(|(leaf, number)| {
                let unless = leaf.version.clone();
                let purpose = Purpose::Page { number, generation: leaf.generation };
                (purpose, Request::Get { key: Key::Page(number), unless })
            })
            .collect();
        let pages = asks.len() as u32;
        let next = self.look.begin(now, pages, self.config.rules.pages_before_listing(pages));
        self.look_on(next, out);
        self.call_all(asks, out);
    }

    /// What is known of the ends of lives and epochs.
    pub(super) fn ends(&self, now: Moment) -> Ends<'_> {
        Ends::new(now, &self.config, self.keeper.life(), &self.roster, &self.releases)
    }

    /// What a member that has found its cluster knows.
    pub(super) fn knowledge(&self, now: Moment) -> Option<Knowledge<'_>> {
        Some(Knowledge { ends: self.ends(now), book: self.book.as_ref()? })
    }

    /// Changes seats, and passes on what follows.
    pub(super) fn with_seats(
        &mut self,
        now: Moment,
        out: &mut Vec<Action>,
        change: impl FnOnce(&mut Seats, &Ground<'_>, &mut Deeds<'_>),
    ) {
        let ground = Ground {
            now,
            config: &self.config,
            lease: self.keeper.lease(),
            life: self.keeper.life(),
            lineage: self.lineage(),
            leaving: self.leaving.is_some(),
            alone: self.leaving.as_ref().is_some_and(|leaving| leaving.alone),
            wall_ms: self.wall_ms,
        };
        let mut words = Vec::new();
        let mut deeds = Deeds { releases: &mut self.releases, words: &mut words, out };
        change(&mut self.seats, &ground, &mut deeds);
        words.into_iter().for_each(|word| self.say(now, word));
    }

    fn say(&mut self, now: Moment, word: Word) {
        if let Word::Avoids(shard) = word {
            self.planner.avoid(now, shard);
        }
        self.keeper.say(word);
    }

    fn work_ended(&mut self, now: Moment, ended: (ShardId, Epoch, Outcome), out: &mut Vec<Action>) {
        let has_taker = self.planner.has_taker(&self.config.id, ended.0);
        self.with_seats(now, out, |seats, ground, deeds| seats.ended(ended, has_taker, ground, deeds));
    }
}
