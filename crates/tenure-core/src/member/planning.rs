//! When this member writes the ledger, and what it knows of the others when it does (C1–C6).
//!
//! Forced steps (a shard without an owner, an heir to settle, a leaving owner) are taken by anybody at once, in turns by
//! rank. Voluntary steps (moves for balance) are taken by the first-ranked member, and only after the members have been
//! the same for a while.

use std::collections::BTreeMap;

use super::machine::Machine;
use super::steps::{Need, Wish};
use crate::flaw::{ANY_VERSION, Flaw};
use crate::ids::{Life, MemberId, ShardId};
use crate::ledger::{Account, Step};
use crate::message::{Action, Notice, Reply, Request, When};
use crate::moment::Moment;
use crate::plan::{Candidate, PLAN_VERSION, rank};
use crate::record::{BYTES_MAX, Key, LedgerPage, MemberRecord, MemberState, Version, Why};
use crate::roster::Trust;

use super::calls::Purpose;

/// A member that may be given shards.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Active {
    pub life: Life,
    pub candidate: Candidate,
}

/// Why this member writes a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    /// Some holding needs it.
    Forced,
    /// Shards would lie better.
    Balance,
}

impl Cause {
    fn name(self) -> &'static str {
        match self {
            Self::Forced => "forced",
            Self::Balance => "balance",
        }
    }

    /// Why a shard without an heir gets one: only an owner that leaves forces that.
    fn of_promises(self) -> &'static str {
        match self {
            Self::Forced => "its owner hands all on",
            Self::Balance => "balance",
        }
    }
}

/// How much was known when something was concluded: nothing is concluded twice from the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub pages: u64,
    pub members: u64,
    pub releases: u64,
}

/// What the planner remembers between its steps.
#[derive(Debug, Default)]
pub(super) struct Planning {
    pub active: Vec<Active>,
    active_since: Moment,
    forced_since: BTreeMap<u32, Moment>,
    /// For each page, what its holdings need, and what was known when that was found.
    needs: BTreeMap<u32, (Known, Vec<(usize, Need)>)>,
    wishes: Option<(Known, Vec<Wish>)>,
    improving_since: Option<Moment>,
    avoided: BTreeMap<ShardId, Moment>,
    /// When a step may come due without anything new happening.
    pub wake_at: Option<Moment>,
}

impl Planning {
    pub(super) fn begin(&mut self, now: Moment) {
        self.active_since = now;
        self.forced_since.clear();
        self.improving_since = None;
    }

    pub(super) fn active_ids(&self) -> impl Iterator<Item = &MemberId> {
        self.active.iter().map(|active| active.life.id())
    }

    pub(super) fn has_others(&self, me: &MemberId) -> bool {
        self.active_ids().any(|id| id != me)
    }

    /// Whether another member could try a shard that fails at `me`.
    pub(super) fn has_taker(&self, me: &MemberId, shard: ShardId) -> bool {
        let willing = |active: &Active| active.candidate.avoids.binary_search(&shard).is_err();
        self.active.iter().any(|active| active.life.id() != me && willing(active))
    }

    pub(super) fn avoid(&mut self, now: Moment, shard: ShardId) {
        self.avoided.insert(shard, now);
    }

    fn wake(&mut self, at: Moment) {
        self.wake_at = Some(self.wake_at.map_or(at, |wake| wake.min(at)));
    }
}

impl Machine {
    pub(super) fn take_steps(&mut self, now: Moment, out: &mut Vec<Action>) {
        self.planning.wake_at = None;
        self.refresh_active(now);
        self.forgive_avoided(now);
        let joined = self.keeper.life().is_some() || self.hoped().is_some();
        let ready = joined && self.leaving.is_none() && self.look.seen_whole.is_some();
        let Some(book) = self.book.as_ref().filter(|book| ready && book.is_read()) else { return };
        let pages = book.leaves().len() as u32;
        let quiet =
            (0..pages).map(|number| self.take_forced(now, number, out)).filter(|quiet| !quiet).count() == 0;
        if quiet {
            self.take_voluntary(now, out);
        }
    }

    /// The seeded bug X3: the life that a join under way would begin.
    fn hoped(&self) -> Option<Active> {
        if !self.config.flaws.has(Flaw::JoinCountsEarly) {
            return None;
        }
        let life = self.keeper.hoped()?;
        let candidate = Candidate { weight: self.config.weight, ..Candidate::new(life.id().clone()) };
        Some(Active { life, candidate })
    }

    /// Whom this member counts on: active, neither silent nor lost nor proven dead.
    fn refresh_active(&mut self, now: Moment) {
        let life = self.keeper.life();
        let counts = |id: &MemberId, record: &MemberRecord| {
            let living = !self.roster.is_dead(id)
                && (!self.roster.is_lost(&record.life(id)) || self.config.flaws.has(Flaw::LostCountsActive))
                && self.roster.silent_at(id).is_none_or(|at| now < at);
            let ours =
                *id != self.config.id || life.is_some_and(|life| life.incarnation() == record.incarnation());
            let stays = record.state == MemberState::Active && !record.drained;
            let kept = self.config.flaws.has(Flaw::GivenToLeaving) && record.state.is_open();
            (stays || kept) && living && ours
        };
        let readable =
            self.roster.entries().filter_map(|(id, entry)| entry.readable().map(|record| (id, record)));
        let active: Vec<Active> = readable
            .filter(|(id, record)| counts(id, record))
            .map(|(id, record)| active(id, record))
            .chain(self.hoped())
            .collect();
        if active != self.planning.active {
            self.planning.active = active;
            self.planning.active_since = now;
            // Silence and proofs of death change whom we count on without a record having changed.
            self.planning.wishes = None;
            self.planning.needs.clear();
        }
    }

    /// After a while a shard that failed here may be tried here again.
    fn forgive_avoided(&mut self, now: Moment) {
        let while_ = self.config.timing.ttl * 10;
        let over: Vec<ShardId> = self
            .planning
            .avoided
            .iter()
            .filter(|(_, at)| now >= **at + while_)
            .map(|(shard, _)| *shard)
            .collect();
        for shard in over {
            self.planning.avoided.remove(&shard);
            self.keeper.say_later(|said| {
                said.avoids.remove(&shard);
            });
        }
    }

    /// Whether the members have been the same for the debounce, and a look begun after it says so too (C3): without the
    /// look, whoever polls rarely would place shards by members of long ago.
    fn is_settled(&mut self, now: Moment) -> bool {
        let at = self.planning.active_since + self.config.timing.debounce;
        if now < at {
            self.planning.wake(at);
        } else if self.look.members_asked < at {
            self.look.hint(now);
        }
        self.look.members_asked >= at
    }

    /// Until when some member may turn out to be alive or not, which this one has seen but not seen to renew yet.
    fn unproven_until(&mut self, now: Moment) -> Option<Moment> {
        let entries = self.planning.active_ids().filter_map(|id| self.roster.entry(id));
        let unproven = entries.filter(|entry| entry.trust(now) == Trust::Unproven);
        let until = unproven.filter_map(|entry| entry.doubted_at()).max();
        if let Some(at) = until {
            self.planning.wake(at);
        }
        until
    }

    /// Whether shards that nobody holds may be placed: the members have settled, and each was seen to renew.
    fn may_place(&mut self, now: Moment) -> bool {
        let hasty = self.config.flaws.has(Flaw::FirstPlanHasty);
        hasty || self.is_settled(now) && self.unproven_until(now).is_none()
    }

    /// How much is known of all pages, or of one.
    pub(super) fn known(&self, number: Option<u32>) -> Known {
        let pages = self.book.as_ref().map_or(0, |book| match number {
            Some(number) => book.leaves()[number as usize].revision,
            None => book.revision(),
        });
        Known { pages, members: self.roster.revision(), releases: self.releases }
    }

    /// Takes the forced steps of one page, if it is our turn. True if the page needs none.
    fn take_forced(&mut self, now: Moment, number: u32, out: &mut Vec<Action>) -> bool {
        self.find_needs(now, number);
        let mut needs = self.planning.needs.get(&number).map_or_else(Vec::new, |(_, needs)| needs.clone());
        let postponed = needs.iter().any(|(_, need)| need.waits()) && !self.may_place(now);
        needs.retain(|(_, need)| !postponed || !need.waits());
        if needs.is_empty() {
            self.planning.forced_since.remove(&number);
            return !postponed;
        }
        self.take_turn(now, number, &needs, out);
        false
    }

    fn take_turn(&mut self, now: Moment, number: u32, needs: &[(usize, Need)], out: &mut Vec<Action>) {
        let thing = format!("page/{number}");
        let place = rank(&thing, &self.config.id, self.planning.active_ids());
        // Whoever has seen all others renew places shards better than one that has just come.
        let late = if self.unproven_until(now).is_some() { self.planning.active.len() as u32 } else { 0 };
        let place = if self.config.flaws.has(Flaw::NoStagger) { 0 } else { place + late };
        let turn = self.config.timing.stagger * place;
        let due = *self.planning.forced_since.entry(number).or_insert(now) + turn;
        if now < due {
            return self.planning.wake(due);
        }
        let steps = self.forced_steps(now, number, needs);
        self.write_page(number, steps, Cause::Forced, out);
    }

    fn find_needs(&mut self, now: Moment, number: u32) {
        let leaf = self.book.as_ref().map(|book| &book.leaves()[number as usize]);
        if leaf.is_none_or(|leaf| leaf.writable().is_none()) {
            // What a page needs while it can't be written must not be remembered: it says nothing of later.
            self.planning.needs.remove(&number);
            return;
        }
        let known = self.known(Some(number));
        let by_time = self.config.flaws.has(Flaw::SilenceCloses);
        if by_time || self.planning.needs.get(&number).is_none_or(|(then, _)| *then != known) {
            let needs = self.needs_of(now, number);
            self.planning.needs.insert(number, (known, needs));
        }
    }

    /// Moves for balance: only settled, only on what was read in order, only by whose turn it is.
    fn take_voluntary(&mut self, now: Moment, out: &mut Vec<Action>) {
        let Some(book) = &self.book else { return };
        let anyhow = self.config.flaws.has(Flaw::MembersBeforePages);
        let in_order = book
            .leaves()
            .iter()
            .all(|leaf| leaf.writable().is_some() && (anyhow || leaf.seen_at <= self.look.members_asked));
        if !in_order || book.meta().plan_version != PLAN_VERSION {
            return;
        }
        self.find_wishes(now);
        if self.planning.wishes.as_ref().is_none_or(|(_, wishes)| wishes.is_empty()) {
            self.planning.improving_since = None;
            return;
        }
        if !self.is_settled(now) && !self.config.flaws.has(Flaw::NoDebounce) {
            return;
        }
        let place = rank("plan", &self.config.id, self.planning.active_ids());
        let place = if self.config.flaws.has(Flaw::EverybodyBalances) { 0 } else { place };
        let turn = self.config.timing.ttl * place;
        let due = *self.planning.improving_since.get_or_insert(now) + turn;
        if now < due {
            return self.planning.wake(due);
        }
        self.make_wishes_true(now, out);
    }

    fn find_wishes(&mut self, now: Moment) {
        let known = self.known(None);
        if self.planning.wishes.as_ref().is_none_or(|(then, _)| *then != known) {
            let wishes = self.wishes(now);
            self.planning.wishes = Some((known, wishes));
        }
    }

    fn make_wishes_true(&mut self, now: Moment, out: &mut Vec<Action>) {
        let Some((_, wishes)) = self.planning.wishes.clone() else { return };
        let rests = u32::from(!self.config.flaws.has(Flaw::NoRest));
        let rest = self.config.timing.debounce * 2 * rests;
        let mut by_page: BTreeMap<u32, Vec<(usize, Step)>> = BTreeMap::new();
        for wish in wishes.into_iter().take(self.budget_left()) {
            let at = wish.changed_at + rest;
            if now < at {
                self.planning.wake(at);
            } else if self.may_go(now, &wish.step) {
                by_page.entry(wish.page).or_default().push((wish.index, wish.step));
            }
        }
        for (number, steps) in by_page {
            self.write_page(number, steps, Cause::Balance, out);
        }
    }

    /// Whoever is not seen renewed gets nothing for now: the next sight of it, or its silence, decides (C6).
    fn may_go(&self, now: Moment, step: &Step) -> bool {
        match step {
            Step::Give(life) | Step::Promise(life) => self.is_fresh(now, life.id()),
            Step::Inherit | Step::CallOff => true,
        }
    }

    /// How many more shards may be on the move (C5).
    fn budget_left(&self) -> usize {
        let Some(book) = &self.book else { return 0 };
        if self.config.flaws.has(Flaw::BudgetIgnored) {
            return usize::MAX;
        }
        let budget = self.config.move_budget.unwrap_or_else(|| (book.meta().shards / 4).max(16)) as usize;
        let pages = book.leaves().iter().filter_map(|leaf| leaf.page.as_ref());
        let moving = pages.flat_map(|page| &page.holdings).filter(|holding| holding.heir.is_some()).count();
        budget.saturating_sub(moving)
    }

    fn write_page(&mut self, number: u32, steps: Vec<(usize, Step)>, cause: Cause, out: &mut Vec<Action>) {
        let why = self.why(cause, &steps);
        let Some(book) = &mut self.book else { return };
        let page_size = book.meta().page_size;
        let leaf = book.leaf_mut(number);
        let Some((page, version)) = leaf.writable().filter(|_| !steps.is_empty()) else { return };
        let version = if self.config.flaws.has(Flaw::PageAnyVersion) {
            Version::new(ANY_VERSION)
        } else {
            version.clone()
        };
        let first = ShardId(number * page_size);
        let account = Account { page, first, author: &self.config.id, at_ms: self.wall_ms };
        let changes = account.of(&steps, cause.of_promises());
        let mut next = page.clone();
        for (index, step) in &steps {
            next.holdings[*index] = step.apply(&next.holdings[*index], self.config.flaws);
        }
        next.generation += 1;
        next.remember(changes);
        next.why = Some(why);
        let value = next.encode();
        if value.len() > BYTES_MAX {
            return self.outgrown(number, value.len(), out);
        }
        leaf.writing = true;
        let request = Request::Put { key: Key::Page(number), value, when: When::Is(version) };
        let purpose = Purpose::Plan { number, page: Box::new(next), changed: steps.len() };
        self.call(purpose, request, out);
    }

    /// A page that nobody would read is not written; its next look may find a shorter one.
    fn outgrown(&mut self, number: u32, bytes: usize, out: &mut Vec<Action>) {
        let what = format!(
            "ledger page {number} would have {bytes} bytes, more than {BYTES_MAX}: it is not written"
        );
        if let Some(book) = &mut self.book {
            book.leaf_mut(number).refuse(what.clone());
        }
        self.tell_once(what, out);
    }

    fn why(&self, cause: Cause, steps: &[(usize, Step)]) -> Why {
        let count = |wanted: fn(&Step) -> bool| steps.iter().filter(|(_, step)| wanted(step)).count();
        let reason = format!(
            "{}: {} given, {} inherited, {} promised, {} called off",
            cause.name(),
            count(|step| matches!(step, Step::Give(_))),
            count(|step| matches!(step, Step::Inherit)),
            count(|step| matches!(step, Step::Promise(_))),
            count(|step| matches!(step, Step::CallOff)),
        );
        Why { reason, author: self.config.id.clone(), view: self.planning.active_ids().cloned().collect() }
    }

    /// Only a write known to have landed changes what we believe; everything else is read first.
    pub(super) fn plan_replied(
        &mut self,
        now: Moment,
        number: u32,
        page: LedgerPage,
        changed: usize,
        reply: Reply,
        out: &mut Vec<Action>,
    ) {
        let reason = page.why.as_ref().map_or_else(String::new, |why| why.reason.clone());
        let Some(book) = &mut self.book else { return };
        let leaf = book.leaf_mut(number);
        leaf.writing = false;
        self.planning.forced_since.remove(&number);
        if matches!(reply, Reply::Failed(_)) {
            self.look.rest(now + self.config.timing.acquire_retry_interval);
        }
        self.look.hint(now);
        let believed = self.config.flaws.has(Flaw::UnknownPageCounts) && matches!(reply, Reply::Failed(_));
        match reply {
            Reply::Stored(version) => {
                if page.generation > leaf.generation {
                    leaf.turn(now, version, page);
                }
                out.push(Action::Notice(Notice::Planned { reason, changed }));
            }
            _ if believed => leaf.turn(now, Version::new("unknown"), page),
            _ => {
                leaf.doubt = true;
                out.push(Action::Notice(Notice::Retry));
            }
        }
    }
}

fn active(id: &MemberId, record: &MemberRecord) -> Active {
    let candidate = Candidate {
        id: id.clone(),
        weight: record.weight.max(1),
        zone: record.zone.clone(),
        wants: record.wants.clone(),
        avoids: record.avoids.clone(),
    };
    Active { life: record.life(id), candidate }
}
