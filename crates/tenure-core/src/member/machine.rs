//! The machine itself: routes what happened to the parts, and asks them what to do.
//!
//! Time comes first, then the event (L3); then every part settles: the lease, the shards' work, the seats that the ledger
//! gives us, the members to close, the steps to take, the way out.

use std::collections::{BTreeMap, BTreeSet};

use super::calls::{Calls, Purpose};
use super::closing::Closings;
use super::founding::{Deed, Founding};
use super::glance::Glances;
use super::leaving::Leaving;
use super::look::Look;
use super::planning::{Known, Planning};
use super::{Action, CallId, Config, Ending, Event, Grant, LapseReason, Notice, Outcome, Reply, Request};
use crate::entropy::Entropy;
use crate::flaw::Flaw;
use crate::guard::Lease;
use crate::ids::{Epoch, Incarnation, Life, ShardId};
use crate::lease::{Act, Keeper};
use crate::ledger::Book;
use crate::moment::Moment;
use crate::record::{Incompatible, Key, Meta};
use crate::roster::Roster;
use crate::shard::Tenancy;

/// One member, from start to end.
#[derive(Debug)]
pub struct Machine {
    pub(super) config: Config,
    pub(super) entropy: Entropy,
    pub(super) keeper: Keeper,
    pub(super) calls: Calls,
    pub(super) founding: Option<Founding>,
    pub(super) book: Option<Book>,
    pub(super) roster: Roster,
    pub(super) look: Look,
    pub(super) glances: Glances,
    pub(super) tenancies: BTreeMap<ShardId, Tenancy>,
    /// The highest epoch that this life released, for each shard (W1).
    pub(super) released: BTreeMap<ShardId, Epoch>,
    pub(super) releases: u64,
    pub(super) grants: BTreeMap<ShardId, Grant>,
    pub(super) seated: Option<Known>,
    pub(super) sought: Option<Known>,
    pub(super) closings: Closings,
    pub(super) planning: Planning,
    pub(super) leaving: Option<Leaving>,
    pub(super) healthy_since: Option<Moment>,
    pub(super) lapsed: bool,
    pub(super) ended: bool,
    pub(super) wall_ms: Option<u64>,
    /// What was said to be used up.
    pub(super) told_spent: BTreeSet<String>,
    /// Why our own record can't be used, as it was last told.
    pub(super) unreadable: Option<Incompatible>,
}

impl Machine {
    /// A machine that waits for [`Event::Start`].
    pub fn new(config: Config, mut entropy: Entropy) -> Self {
        let keeper = Keeper::new(config.clone(), Entropy::new(entropy.bits()));
        let roster = Roster::new(config.id.clone(), config.timing.clone(), config.ttl_max, config.flaws);
        Self {
            look: Look::new(config.timing.poll),
            glances: Glances::new(config.timing.poll),
            config,
            entropy,
            keeper,
            calls: Calls::default(),
            founding: None,
            book: None,
            roster,
            tenancies: BTreeMap::new(),
            released: BTreeMap::new(),
            releases: 0,
            grants: BTreeMap::new(),
            seated: None,
            sought: None,
            closings: Closings::default(),
            planning: Planning::default(),
            leaving: None,
            healthy_since: None,
            lapsed: false,
            ended: false,
            wall_ms: None,
            told_spent: BTreeSet::new(),
            unreadable: None,
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
        if !self.config.flaws.has(Flaw::EventBeforeTime) {
            self.advance_lease(now, out);
        }
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
        for (shard, epoch, outcome) in ended {
            self.work_ended(now, shard, epoch, outcome, out);
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
        let looks = self.book.as_ref().and_then(|_| self.look.deadline());
        let (timing, restart) = (&self.config.timing, &self.config.restart);
        let work = self.tenancies.values().filter_map(|tenancy| tenancy.deadline(timing, restart)).min();
        let founding = self.founding.as_ref().and_then(Founding::deadline);
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
        self.keeper.life()?;
        let leaving = self.leaving.as_ref().and_then(|leaving| leaving.deadline(&self.config.timing));
        let parts = [self.roster.deadline(), self.closings.wake_at, self.planning.wake_at, leaving];
        parts.into_iter().flatten().min()
    }

    fn happened(&mut self, now: Moment, event: Event, out: &mut Vec<Action>) {
        match event {
            Event::Start => self.founding = self.founding.take().or_else(|| Some(Founding::new())),
            Event::Reply { call, reply } => self.replied(now, call, reply, out),
            Event::Hint(key) => self.hinted(now, key, out),
            Event::Heard { id, record } => self.heard(now, id, &record, out),
            Event::Rumour { id, record } => self.rumoured(now, id, &record, out),
            Event::Grant(grant) => self.granted(grant),
            Event::Ended { shard, epoch, outcome } => self.work_ended(now, shard, epoch, outcome, out),
            Event::Died(process) => {
                self.roster.died(process);
                self.keeper.died(now, process);
            }
            Event::ClockFault(why) => self.with_keeper(now, out, |keeper, acts| {
                keeper.lapse(LapseReason::Clock(why), acts);
            }),
            Event::Want(shards) => self.want(shards.into_iter().collect()),
            Event::Leave => self.leave(now, false),
            Event::Hurry => self.leave(now, true),
        }
    }

    fn want(&mut self, shards: BTreeSet<ShardId>) {
        self.keeper.say(|said| std::mem::replace(&mut said.wants, shards) != said.wants);
    }

    fn settle(&mut self, now: Moment, out: &mut Vec<Action>) {
        self.advance_lease(now, out);
        self.advance_founding(now, out);
        self.advance_work(now, out);
        self.advance_look(now, out);
        self.take_seats(now, out);
        self.give_back(now, out);
        self.forget_released();
        self.close_others(now, out);
        self.seek_missing(now, out);
        self.take_steps(now, out);
        self.advance_leaving(now, out);
        self.rejoin(now);
        self.advance_lease(now, out);
    }

    pub(super) fn call(&mut self, purpose: Purpose, request: Request, out: &mut Vec<Action>) {
        let call = self.calls.begin(purpose);
        out.push(Action::Call { call, request });
    }

    fn replied(&mut self, now: Moment, call: CallId, reply: Reply, out: &mut Vec<Action>) {
        let Some(purpose) = self.calls.end(call) else { return };
        match reply {
            Reply::Failed(_) => self.healthy_since = None,
            _ => self.healthy_since = Some(self.healthy_since.unwrap_or(now)),
        }
        match purpose {
            Purpose::Founding => self.founding_replied(now, reply, out),
            Purpose::Lease => self.with_keeper(now, out, |keeper, acts| keeper.reply(now, reply, acts)),
            Purpose::Page { number, generation } => self.page_read(now, number, generation, reply, out),
            Purpose::Members => self.members_listed(now, reply, out),
            Purpose::Glance(id) => self.glanced(now, id, reply, out),
            Purpose::Seek(life) => {
                let unreadable = self.roster.answered(now, &life, reply);
                unreadable.into_iter().for_each(|error| self.tell_unreadable(error, out));
            }
            Purpose::Close { id, record } => self.close_replied(now, id, *record, reply, out),
            Purpose::Collect { id, version } => self.collect_replied(&id, &version, &reply),
            Purpose::Plan { number, page, changed } => {
                self.plan_replied(now, number, *page, changed, reply, out)
            }
        }
    }

    fn advance_lease(&mut self, now: Moment, out: &mut Vec<Action>) {
        self.with_keeper(now, out, |keeper, acts| keeper.advance(now, acts));
    }

    pub(super) fn with_keeper(
        &mut self,
        now: Moment,
        out: &mut Vec<Action>,
        act: impl FnOnce(&mut Keeper, &mut Vec<Act>),
    ) {
        let mut acts = Vec::new();
        act(&mut self.keeper, &mut acts);
        for act in acts {
            self.lease_acted(now, act, out);
        }
    }

    fn lease_acted(&mut self, now: Moment, act: Act, out: &mut Vec<Action>) {
        match act {
            Act::Call(request) => self.call(Purpose::Lease, request, out),
            Act::Joined(life) => self.joined(now, life, out),
            Act::Wrote(version, record) => {
                self.unreadable = None;
                self.roster.learn(now, self.config.id.clone(), version, *record);
            }
            Act::Lapsed(life, reason) => self.lapsed(now, life, reason, out),
            Act::Gone => self.end(Ending::Left, out),
            Act::Tell(notice) => self.told(now, notice, out),
        }
    }

    fn told(&mut self, now: Moment, notice: Notice, out: &mut Vec<Action>) {
        let heeded = !self.config.flaws.has(Flaw::OwnFailureIgnored);
        if matches!(notice, Notice::RenewalFailed { .. }) && heeded {
            // Whoever can't renew can't judge who else does not (O1).
            self.roster.mistrust(now);
        }
        match notice {
            Notice::Unreadable(error) => self.tell_unreadable(error, out),
            notice => out.push(Action::Notice(notice)),
        }
    }

    fn joined(&mut self, now: Moment, life: Life, out: &mut Vec<Action>) {
        self.released.clear();
        self.grants.clear();
        self.seated = None;
        self.lapsed = false;
        self.planning.begin(now);
        self.look.hint(now);
        out.push(Action::Notice(Notice::Joined(life)));
    }

    /// L4: every guard is false before anything else happens; then all work is interrupted.
    fn lapsed(&mut self, now: Moment, life: Life, reason: LapseReason, out: &mut Vec<Action>) {
        let drains = self.config.flaws.has(Flaw::LapseDrains);
        for tenancy in self.tenancies.values().filter(|_| !drains) {
            tenancy.close();
        }
        self.lapsed = true;
        if !self.config.flaws.has(Flaw::RecoverWindowKept) {
            self.healthy_since = None;
        }
        self.closings.forget();
        self.roster.mistrust(now);
        if drains {
            self.drain_alone(now, out);
        } else {
            self.interrupt_all(now, out);
        }
        out.push(Action::Notice(Notice::Lapsed { life, reason }));
    }

    pub(super) fn end(&mut self, ending: Ending, out: &mut Vec<Action>) {
        self.ended = true;
        out.push(Action::End(ending));
    }

    /// When a member without a lease joins: at once the first time, after a healthy while once it has lapsed.
    fn rejoin_at(&self) -> Option<Moment> {
        let hasty = self.config.flaws.has(Flaw::RejoinWhileWorking);
        let free = self.book.is_some()
            && self.keeper.is_idle()
            && (self.tenancies.is_empty() || hasty)
            && self.leaving.is_none();
        let window = if self.lapsed { self.config.timing.recover_window } else { std::time::Duration::ZERO };
        free.then_some(self.healthy_since? + window)
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

    fn founding_replied(&mut self, now: Moment, reply: Reply, out: &mut Vec<Action>) {
        let mut deeds = Vec::new();
        if let Some(founding) = &mut self.founding {
            founding.reply(now, reply, &self.config, &mut self.entropy, &mut deeds);
        }
        self.founding_did(now, deeds, out);
    }

    fn founding_did(&mut self, now: Moment, deeds: Vec<Deed>, out: &mut Vec<Action>) {
        for deed in deeds {
            match deed {
                Deed::Call(request) => self.call(Purpose::Founding, request, out),
                Deed::Tell(notice) => out.push(Action::Notice(notice)),
                Deed::Refuse(ending) => self.end(ending, out),
                Deed::Found(meta) => self.found(now, meta, out),
            }
        }
    }

    fn found(&mut self, now: Moment, meta: Meta, out: &mut Vec<Action>) {
        out.push(Action::Notice(Notice::Found { shards: meta.shards }));
        self.roster = Roster::new(
            self.config.id.clone(),
            self.config.timing.clone(),
            meta.ttl_max(),
            self.config.flaws,
        );
        self.book = Some(Book::new(meta));
        self.look.hint(now);
    }

    fn advance_look(&mut self, now: Moment, out: &mut Vec<Action>) {
        let Some(book) = self.book.as_ref().filter(|_| self.look.is_due(now)) else { return };
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
        self.look.begin(now, asks.len() as u32);
        if self.config.flaws.has(Flaw::MembersBeforePages) {
            self.look.list_first(now);
            self.call(Purpose::Members, Request::ListMembers, out);
        }
        for (purpose, request) in asks {
            self.call(purpose, request, out);
        }
    }
}
