//! The ledger: the five transitions of a holding (P1–P5), and writes of its page that come late.
//!
//! Nobody in particular plans. *Ended* must be known, and is: see [`ended`]. *Not ended* may be a stale belief, so no rule here asks
//! for it. A conditional write that comes late lands only on the page it was made from, or not at all.

use super::facts::Named;
use super::incarnation::Incarnation;
use super::mutant::Mutant;
use super::rules::Rules;
use super::state::{Holder, Page, ProcessPhase, State};
use super::step::{Plan, Step};

pub(super) fn offer(rules: &Rules, state: &State, out: &mut Vec<Step>) {
    if !state.page.present {
        return out.extend(rules.has(Mutant::PageCreatedAnew).then_some(Step::CreatePage));
    }
    for plan in plans(rules, state) {
        out.push(Step::Write(plan));
        out.extend((rules.scope.late_pages && state.late_page.is_none()).then_some(Step::Send(plan)));
    }
    out.extend(state.late_page.is_some().then_some(Step::LandPage));
    offer_belief(rules, state, out);
}

/// All transitions that the rules allow now.
pub(super) fn plans(rules: &Rules, state: &State) -> Vec<Plan> {
    let mut plans = Vec::new();
    plans.extend(may_p2(rules, state).then_some(Plan::P2));
    plans.extend(may_p5(rules, state).then_some(Plan::P5));
    if state.page.top >= rules.scope.epochs {
        return plans;
    }
    for who in state.facts.seen.iter() {
        plans.extend(may_p1(rules, state).then_some(Plan::P1(who)));
        if who != state.page.owner.who {
            plans.extend(may_p3(rules, state).then_some(Plan::P3(who)));
            plans.extend(may_p4(rules, state).then_some(Plan::P4(who)));
        }
    }
    plans
}

/// Whether it can be known that the holder of this entry is closed or has released it.
pub(super) fn ended(rules: &Rules, state: &State, entry: Holder) -> bool {
    let facts = &state.facts;
    facts.closed.has(entry.who) && entry.is_some()
        || facts.published.has(entry.epoch)
        || rules.has(Mutant::ClosedById) && facts.closed.iter().any(|who| who.id == entry.who.id)
        || rules.has(Mutant::ReleasedByShard) && has_released(state, entry.who)
}

fn has_released(state: &State, who: Incarnation) -> bool {
    state.facts.epochs().any(|(epoch, named)| named.who == who && state.facts.published.has(epoch))
}

fn none_or_ended(rules: &Rules, state: &State, entry: Holder) -> bool {
    !entry.is_some() || ended(rules, state, entry)
}

fn may_p1(rules: &Rules, state: &State) -> bool {
    let owner = none_or_ended(rules, state, state.page.owner) || rules.has(Mutant::OwnerOverOwner);
    let heir = none_or_ended(rules, state, state.page.heir) || rules.has(Mutant::OwnerOverHeir);
    owner && heir
}

fn may_p2(rules: &Rules, state: &State) -> bool {
    let Page { owner, heir, .. } = state.page;
    heir.is_some() && (ended(rules, state, owner) || rules.has(Mutant::HeirOverOwner))
}

fn may_p3(rules: &Rules, state: &State) -> bool {
    let Page { owner, heir, .. } = state.page;
    owner.is_some() && (!heir.is_some() || rules.has(Mutant::MoveOverHeir))
}

fn may_p4(rules: &Rules, state: &State) -> bool {
    let Page { owner, heir, .. } = state.page;
    let over_live = rules.has(Mutant::HeirOverHeir);
    let allowed = owner.is_some() && heir.is_some() && !rules.has(Mutant::NoNewHeir);
    allowed && (over_live || ended(rules, state, heir))
}

fn may_p5(rules: &Rules, state: &State) -> bool {
    let Page { owner, heir, .. } = state.page;
    owner.is_some() && heir.is_some() && ended(rules, state, heir)
}

/// The page after a transition.
fn after(rules: &Rules, page: Page, plan: Plan) -> Page {
    let next = |who| Holder { who, epoch: page.top + 1 };
    match plan {
        Plan::P1(who) if rules.has(Mutant::EpochFromEpoch) => {
            let owner = Holder { who, epoch: page.owner.epoch + 1 };
            Page { owner, heir: Holder::NONE, top: page.top.max(owner.epoch), ..page }
        }
        Plan::P1(who) => Page { owner: next(who), heir: Holder::NONE, top: page.top + 1, ..page },
        Plan::P2 => Page { owner: page.heir, heir: Holder::NONE, ..page },
        Plan::P3(who) | Plan::P4(who) => Page { heir: next(who), top: page.top + 1, ..page },
        Plan::P5 if rules.has(Mutant::CallOffForgetsTop) => {
            Page { heir: Holder::NONE, top: page.owner.epoch, ..page }
        }
        Plan::P5 => Page { heir: Holder::NONE, ..page },
    }
}

/// A transition is written: the page is the one it was made from.
pub(super) fn write(rules: &Rules, state: &mut State, plan: Plan) {
    let page = after(rules, state.page, plan);
    store_page(rules, state, page);
}

/// A transition is sent, and may land later.
pub(super) fn send(rules: &Rules, state: &mut State, plan: Plan) {
    state.late_page = Some((state.page, after(rules, state.page, plan)));
}

/// The late write reaches the store.
pub(super) fn land(rules: &Rules, state: &mut State) {
    let Some((expected, page)) = state.late_page.take() else { return };
    if expected == state.page || rules.has(Mutant::PageAnyVersion) {
        store_page(rules, state, page);
    }
}

fn store_page(rules: &Rules, state: &mut State, page: Page) {
    let fell = page.top < state.page.top || page.owner.epoch < state.page.owner.epoch;
    state.facts.numbering_broken |= fell;
    state.page = page;
    name(state, page.owner, |named| named.owner = true);
    name(state, page.heir, |named| named.heir_of = page.owner.epoch);
    let expected = |late: &(Page, Page)| late.0 == page || rules.has(Mutant::PageAnyVersion);
    state.late_page = state.late_page.filter(expected);
}

/// The ledger names somebody: an epoch has one holder, for ever (I2).
fn name(state: &mut State, entry: Holder, as_what: impl Fn(&mut Named)) {
    if !entry.is_some() {
        return;
    }
    let facts = &mut state.facts;
    let named = &mut facts.named[entry.epoch as usize];
    if named.who.is_somebody() && named.who != entry.who {
        // What the former holder released says nothing of the new one.
        *named = Named::default();
        facts.published.remove(entry.epoch);
        facts.granted.remove(entry.epoch);
        facts.numbering_broken = true;
    }
    named.who = entry.who;
    as_what(named);
}

fn offer_belief(rules: &Rules, state: &State, out: &mut Vec<Step>) {
    let wants = rules.has(Mutant::UnknownPage) && may_p1(rules, state) && state.page.top < rules.scope.epochs;
    for (p, process) in state.processes.iter().enumerate() {
        let able = process.phase == ProcessPhase::Member && process.believes == 0;
        out.extend((wants && able).then_some(Step::Believe(p as u8)));
    }
}

/// A member's P1 in its own favour got no answer and never lands, and the member takes it for stored.
pub(super) fn believe(state: &mut State, p: usize) {
    state.processes[p].believes = state.page.top + 1;
}

/// A page that was lost is created as if the cluster were new.
pub(super) fn create(state: &mut State) {
    state.page = Page::NEW;
}
