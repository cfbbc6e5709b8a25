//! When this member writes the ledger, and what it knows of the others when it does (C1–C6).
//!
//! Forced steps (a shard without an owner, an heir to settle, a leaving owner) are taken by anybody at once, in turns by
//! rank. Voluntary steps (moves for balance) are taken by the first-ranked member, and only after the members have been
//! the same for a while.

use std::collections::BTreeMap;

use super::active::{Active, active};
use super::knowledge::{Ends, Knowledge, Known};
use super::needs::{Need, Needs};
use super::placing::{Placing, Wish};
use crate::ids::{Incarnation, Life, MemberId, ShardId};
use crate::ledger::{Leaf, Step};
use crate::moment::Moment;
use crate::plan::{PLAN_VERSION, rank};
use crate::roster::Trust;

/// Why a page is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// Some holding needs it.
    Forced,
    /// Shards would lie better.
    Balance,
}

/// A page that should be written.
#[derive(Debug)]
pub(super) struct Draft {
    pub number: u32,
    pub steps: Vec<(usize, Step)>,
    pub cause: Cause,
}

/// What the planner wants done.
#[derive(Debug, Default)]
pub(super) struct Advice {
    pub drafts: Vec<Draft>,
    /// A look is needed before anything else is decided.
    pub look: bool,
}

/// What the planner is given, beside what is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Looked {
    /// When the last whole look was begun.
    pub whole: Option<Moment>,
    /// When the listing of the last whole look was asked for.
    pub members_asked: Moment,
}

/// What a list of members was made from; they are counted anew only when this changes.
type Counted = (u64, u64, Option<Incarnation>);

/// What the planner remembers between its steps.
#[derive(Debug, Default)]
pub(super) struct Planner {
    active: Vec<Active>,
    counted: Option<Counted>,
    active_since: Moment,
    forced_since: BTreeMap<u32, Moment>,
    /// For each page, what its holdings need, and what was known when that was found.
    needs: BTreeMap<u32, (Known, Vec<(usize, Need)>)>,
    wishes: Option<(Known, Vec<Wish>)>,
    improving_since: Option<Moment>,
    avoided: BTreeMap<ShardId, Moment>,
    /// When a step may come due without anything new happening.
    wake_at: Option<Moment>,
}

impl Planner {
    pub(super) fn begin(&mut self, now: Moment) {
        self.active_since = now;
        self.forced_since.clear();
        self.improving_since = None;
    }

    pub(super) fn deadline(&self) -> Option<Moment> {
        self.wake_at
    }

    pub(super) fn active_ids(&self) -> impl Iterator<Item = &MemberId> {
        self.active.iter().map(|active| active.life.id())
    }

    pub(super) fn has_others(&self, me: &MemberId) -> bool {
        self.active_ids().any(|id| id != me)
    }

    /// Whether another member could try a shard that fails at `me`.
    pub(super) fn has_taker(&self, me: &MemberId, shard: ShardId) -> bool {
        self.active.iter().any(|active| active.life.id() != me && active.is_willing(shard))
    }

    pub(super) fn avoid(&mut self, now: Moment, shard: ShardId) {
        self.avoided.insert(shard, now);
    }

    /// The shards that failed here a while ago: they may be tried here again.
    pub(super) fn forgive(&mut self, ends: &Ends<'_>) -> Vec<ShardId> {
        let until = |at: Moment| at + ends.config.timing.ttl * 10;
        let over = self.avoided.iter().filter(|(_, at)| ends.now >= until(**at));
        let over: Vec<ShardId> = over.map(|(shard, _)| *shard).collect();
        self.avoided.retain(|shard, _| over.binary_search(shard).is_err());
        over
    }

    /// Another member may have written the page, or we did: whose turn it is begins anew.
    pub(super) fn page_was_written(&mut self, number: u32) {
        self.forced_since.remove(&number);
    }

    /// Counts the members that may be given shards.
    pub(super) fn count(&mut self, ends: &Ends<'_>) {
        self.wake_at = None;
        let from = (ends.roster.revision(), ends.roster.standing(), ends.life.map(Life::incarnation));
        if self.counted == Some(from) {
            return;
        }
        self.counted = Some(from);
        let active = active(ends);
        if active != self.active {
            self.active = active;
            self.active_since = ends.now;
            // Silence and proofs of death change whom we count on without a record having changed.
            self.wishes = None;
            self.needs.clear();
        }
    }

    /// What should be written, by what is known.
    pub(super) fn advise(&mut self, knowledge: &Knowledge<'_>, looked: &Looked) -> Advice {
        let mut advice = Advice::default();
        let pages = knowledge.book.leaves().len() as u32;
        let mut due = Vec::new();
        let mut quiet = true;
        for number in 0..pages {
            quiet &= self.find_forced(knowledge, looked, number, &mut due, &mut advice);
        }
        advice.drafts = self.forced(knowledge, due);
        if quiet {
            self.balance(knowledge, looked, &mut advice);
        }
        advice
    }

    fn wake(&mut self, at: Moment) {
        self.wake_at = Some(self.wake_at.map_or(at, |wake| wake.min(at)));
    }

    /// Whether the members have been the same for the debounce, and a look begun after it says so too (C3): without the
    /// look, a member that polls rarely would place shards by members of long ago.
    fn is_settled(&mut self, ends: &Ends<'_>, looked: &Looked, advice: &mut Advice) -> bool {
        let at = self.active_since + ends.config.timing.debounce;
        if ends.now < at {
            self.wake(at);
        } else if looked.members_asked < at {
            advice.look = true;
        }
        looked.members_asked >= at
    }

    /// Until when some member may turn out to be alive or not, which this one has seen but not seen to renew yet.
    fn unproven_until(&mut self, ends: &Ends<'_>) -> Option<Moment> {
        let entries = self.active_ids().filter_map(|id| ends.roster.entry(id));
        let unproven = entries.filter(|entry| entry.trust(ends.now) == Trust::Unproven);
        let until = unproven.filter_map(|entry| entry.doubted_at()).max();
        if let Some(at) = until {
            self.wake(at);
        }
        until
    }

    /// Whether shards that nobody holds may be placed: the members have settled, and each was seen to renew.
    fn may_place(&mut self, ends: &Ends<'_>, looked: &Looked, advice: &mut Advice) -> bool {
        let settled = self.is_settled(ends, looked, advice) && self.unproven_until(ends).is_none();
        ends.config.rules.may_place_first(settled)
    }

    /// Finds the needs of one page whose turn has come. True if the page needs nothing.
    fn find_forced(
        &mut self,
        knowledge: &Knowledge<'_>,
        looked: &Looked,
        number: u32,
        due: &mut Vec<(u32, Vec<(usize, Need)>)>,
        advice: &mut Advice,
    ) -> bool {
        self.find_needs(knowledge, number);
        let found = self.needs.get(&number).filter(|(_, needs)| !needs.is_empty());
        let Some((_, needs)) = found else {
            self.forced_since.remove(&number);
            return true;
        };
        let mut needs = needs.clone();
        let waits = needs.iter().any(|(_, need)| need.waits());
        let postponed = waits && !self.may_place(&knowledge.ends, looked, advice);
        needs.retain(|(_, need)| !postponed || !need.waits());
        if needs.is_empty() {
            self.forced_since.remove(&number);
        } else if self.is_our_turn(&knowledge.ends, number) {
            due.push((number, needs));
        }
        false
    }

    fn is_our_turn(&mut self, ends: &Ends<'_>, number: u32) -> bool {
        let thing = format!("page/{number}");
        let place = rank(&thing, &ends.config.id, self.active_ids());
        // A member that has seen all others renew places shards better than one that has just come.
        let late = if self.unproven_until(ends).is_some() { self.active.len() as u32 } else { 0 };
        let turn = ends.config.timing.stagger * ends.config.rules.forced_turn(place, late);
        let due = *self.forced_since.entry(number).or_insert(ends.now) + turn;
        if ends.now < due {
            self.wake(due);
        }
        ends.now >= due
    }

    /// The steps for what is due. The shards of all pages are placed together, once.
    fn forced(&self, knowledge: &Knowledge<'_>, due: Vec<(u32, Vec<(usize, Need)>)>) -> Vec<Draft> {
        let fresh = self.active_ids().any(|id| knowledge.is_fresh(id));
        if due.is_empty() || !fresh {
            return Vec::new();
        }
        let placing = Placing { knowledge: *knowledge, active: &self.active };
        let places = due.iter().flat_map(|(_, needs)| needs).any(|(_, need)| *need != Need::Succeed);
        let planned = if places { placing.planned() } else { Vec::new() };
        let draft = |(number, needs): (u32, Vec<(usize, Need)>)| Draft {
            number,
            steps: placing.forced(number, &needs, &planned),
            cause: Cause::Forced,
        };
        due.into_iter().map(draft).collect()
    }

    fn find_needs(&mut self, knowledge: &Knowledge<'_>, number: u32) {
        let leaf = &knowledge.book.leaves()[number as usize];
        if leaf.writable().is_none() {
            // What a page needs while it can't be written must not be remembered: it says nothing of later.
            self.needs.remove(&number);
            return;
        }
        let known = knowledge.known_of(number);
        let more_is_known = self.needs.get(&number).is_none_or(|(then, _)| *then != known);
        if knowledge.ends.config.rules.asks_needs_anew(more_is_known) {
            let has_others = |id: &MemberId| self.has_others(id);
            let needs = Needs { knowledge: *knowledge, has_others: &has_others }.of(number, leaf);
            self.needs.insert(number, (known, needs));
        }
    }

    /// Moves for balance: only settled, only on what was read in order, only by whose turn it is.
    fn balance(&mut self, knowledge: &Knowledge<'_>, looked: &Looked, advice: &mut Advice) {
        let (book, ends) = (knowledge.book, &knowledge.ends);
        let rules = ends.config.rules;
        let is_in_order = |leaf: &Leaf| {
            leaf.writable().is_some() && rules.is_read_in_order(leaf.seen_at, looked.members_asked)
        };
        let in_order = book.leaves().iter().all(is_in_order);
        if !in_order || book.meta().plan_version != PLAN_VERSION {
            return;
        }
        self.find_wishes(knowledge);
        if self.wishes.as_ref().is_none_or(|(_, wishes)| wishes.is_empty()) {
            self.improving_since = None;
            return;
        }
        if !rules.may_balance(self.is_settled(ends, looked, advice)) {
            return;
        }
        let place = rank("plan", &ends.config.id, self.active_ids());
        let turn = ends.config.timing.ttl * rules.balance_turn(place);
        let due = *self.improving_since.get_or_insert(ends.now) + turn;
        if ends.now < due {
            return self.wake(due);
        }
        advice.drafts.extend(self.voluntary(knowledge));
    }

    fn find_wishes(&mut self, knowledge: &Knowledge<'_>) {
        let known = knowledge.known();
        if self.wishes.as_ref().is_none_or(|(then, _)| *then != known) {
            let wishes = Placing { knowledge: *knowledge, active: &self.active }.wishes();
            self.wishes = Some((known, wishes));
        }
    }

    /// The wishes that may come true now.
    fn voluntary(&mut self, knowledge: &Knowledge<'_>) -> Vec<Draft> {
        let Some((_, wishes)) = self.wishes.take() else { return Vec::new() };
        let Ends { now, config, .. } = knowledge.ends;
        let rest = config.rules.rest(&config.timing);
        let mut by_page: BTreeMap<u32, Vec<(usize, Step)>> = BTreeMap::new();
        for wish in wishes.iter().take(budget_left(knowledge)) {
            let at = wish.changed_at + rest;
            if now < at {
                self.wake(at);
            } else if may_go(knowledge, &wish.step) {
                by_page.entry(wish.page).or_default().push((wish.index, wish.step.clone()));
            }
        }
        self.wishes = Some((knowledge.known(), wishes));
        by_page.into_iter().map(|(number, steps)| Draft { number, steps, cause: Cause::Balance }).collect()
    }
}

/// A member that is not seen renewed gets nothing for now: the next sight of it, or its silence, decides (C6).
fn may_go(knowledge: &Knowledge<'_>, step: &Step) -> bool {
    match step {
        Step::Appoint(life) | Step::Promise(life) => knowledge.is_fresh(life.id()),
        Step::Succeed | Step::CallOff => true,
    }
}

/// How many more shards may be on the move (C5).
fn budget_left(knowledge: &Knowledge<'_>) -> usize {
    let (book, config) = (knowledge.book, knowledge.ends.config);
    let pages = book.leaves().iter().filter_map(|leaf| leaf.page.as_ref());
    let moving = pages.flat_map(|page| &page.holdings).filter(|holding| holding.heir.is_some()).count();
    config.rules.moves_left(config.move_budget, book.meta().shards, moving)
}
