//! I6: once faults stop, the shard has an acting owner soon, no heir waits for ever, and the ledger comes to rest.
//!
//! From a state, everybody who still runs does what the rules ask of it, in turn, round after round, one tick each; every
//! write lands and is answered. Nobody remembers what the store no longer shows: whoever once read it may be the one that died.
//! Nobody begins a voluntary move (P3). Grants are never sent: the protocol must get on without them.

use super::incarnation::Incarnation;
use super::ledger;
use super::mutant::Mutant;
use super::rules::Rules;
use super::scope::Scope;
use super::state::{Flown, ProcessPhase, Stand, State};
use super::step::{Plan, Slot, Step};
use super::{act, lease, observe};

/// Whether the cluster gets going again from `state`. True as well if nobody is left to do it.
pub(super) fn holds(rules: &Rules, state: &State) -> bool {
    let rules = &Rules { scope: with_room(rules.scope), ..*rules };
    let running: Vec<usize> = (0..rules.scope.processes.len()).filter(|p| runs(state, *p)).collect();
    if !state.page.present || running.is_empty() {
        return true;
    }
    let mut state = State { late_page: None, ..state.clone() };
    for _ in 0..rounds(rules) {
        round(rules, &mut state, &running);
    }
    let page = state.page;
    round(rules, &mut state, &running);
    let served = running.iter().any(|p| act::acts_by_present_reads(rules, &state, *p));
    served && page == state.page && !page.heir.is_some()
}

/// Bounds are of the search, not of the protocol: here there is always one more life, line, term and epoch.
fn with_room(scope: Scope) -> Scope {
    let Scope { lives, lines, terms, epochs, .. } = scope;
    Scope { lives: lives + 3, lines: lines + 1, terms: terms + 2, epochs: epochs + 4, ..scope }
}

/// Silence, then the loss of a deleted record, and a few rounds for the ledger.
fn rounds(rules: &Rules) -> u8 {
    rules.silence() + rules.loss() + 6
}

/// Whether process `p` has been started and has not ended.
fn runs(state: &State, p: usize) -> bool {
    let process = &state.processes[p];
    match process.phase {
        ProcessPhase::Joining | ProcessPhase::Member => true,
        ProcessPhase::Idle => process.lives > 0,
        ProcessPhase::Left | ProcessPhase::Dead => false,
    }
}

fn round(rules: &Rules, state: &mut State, running: &[usize]) {
    for p in running {
        hear(rules, state, *p);
        hand_over(rules, state, *p);
        keep_lease(rules, state, *p);
    }
    if state.processes.iter().any(|process| process.lease > 0) {
        depose_silent(rules, state);
        plan(rules, state);
    }
    go(rules, state, Step::Tick);
}

fn go(rules: &Rules, state: &mut State, step: Step) {
    *state = step.take(rules, state);
}

/// The write under way lands, and its answer comes.
fn hear(rules: &Rules, state: &mut State, p: usize) {
    let flown = |state: &State| state.processes[p].awaited.map(|flight| flight.flown);
    if flown(state) == Some(Flown::Sent) {
        go(rules, state, Step::Land(p as u8, Slot::Awaited));
    }
    match flown(state) {
        Some(Flown::Landed) => go(rules, state, Step::Answer(p as u8)),
        Some(Flown::Sent | Flown::Refused) => go(rules, state, Step::LookAgain(p as u8, false)),
        None => {}
    }
}

/// An owner with a living heir releases.
fn hand_over(rules: &Rules, state: &mut State, p: usize) {
    let (process, page) = (&state.processes[p], &state.page);
    let owns =
        process.lease > 0 && page.owner.who == process.who && page.owner.epoch > process.released.highest();
    if owns && page.heir.is_some() && !act::ended_by_present_reads(rules, state, page.heir) {
        go(rules, state, Step::Release(p as u8, page.owner.epoch));
    }
}

/// Joins, or renews.
fn keep_lease(rules: &Rules, state: &mut State, p: usize) {
    let process = &state.processes[p];
    match process.phase {
        ProcessPhase::Idle if lease::may_join(rules, state, p) => go(rules, state, Step::Join(p as u8)),
        ProcessPhase::Member if process.lease > 0 => go(rules, state, Step::Renew(p as u8)),
        _ => return,
    }
    hear(rules, state, p);
}

fn depose_silent(rules: &Rules, state: &mut State) {
    for id in rules.scope.ids() {
        let active = state.registers[id].record.is_some_and(|record| record.stand == Stand::Active);
        if active && observe::may_depose(rules, &state.registers[id]) {
            go(rules, state, Step::Depose(id as u8));
        }
    }
}

/// The forced step that the holding needs, if any.
fn plan(rules: &Rules, state: &mut State) {
    if let Some(plan) = forced(rules, state).filter(|plan| !is_forbidden(rules, *plan)) {
        ledger::write(rules, state, plan);
    }
}

fn forced(rules: &Rules, state: &State) -> Option<Plan> {
    let (owner, heir) = (state.page.owner, state.page.heir);
    let ended = |entry| act::ended_by_present_reads(rules, state, entry);
    match (ended(owner), heir.is_some(), ended(heir)) {
        (true, true, false) => Some(Plan::P2),
        (true, _, _) => active(state, Incarnation::NOBODY).map(Plan::P1),
        (false, true, true) => Some(active(state, owner.who).map_or(Plan::P5, Plan::P4)),
        (false, _, _) => None,
    }
}

fn is_forbidden(rules: &Rules, plan: Plan) -> bool {
    rules.has(Mutant::NoNewHeir) && matches!(plan, Plan::P4(_))
}

/// Somebody whose record is active, other than `but`.
fn active(state: &State, but: Incarnation) -> Option<Incarnation> {
    let records = state.registers.iter().filter_map(|register| register.record);
    records.filter(|record| record.stand == Stand::Active).map(|record| record.who).find(|who| *who != but)
}
