//! What happens to the cluster: time, crashes, and operators who delete things.

use super::lease;
use super::mutant::Mutant;
use super::rules::Rules;
use super::state::{ProcessPhase, Register, Stand, State};
use super::step::Step;
use super::store;

pub(super) fn offer(rules: &Rules, state: &State, out: &mut Vec<Step>) {
    for p in 0..rules.scope.processes.len() {
        let process = &state.processes[p];
        let running = match process.phase {
            ProcessPhase::Joining | ProcessPhase::Member => true,
            ProcessPhase::Idle => process.lives > 0,
            ProcessPhase::Left | ProcessPhase::Dead => false,
        };
        out.extend((rules.scope.crash && running).then_some(Step::Crash(p as u8)));
        out.extend((rules.has(Mutant::SuspendNotCounted) && running).then_some(Step::TickBut(p as u8)));
    }
    for id in rules.scope.ids() {
        let able = state.deletions < rules.scope.deletions && state.registers[id].record.is_some();
        out.extend(able.then_some(Step::Delete(id as u8)));
        out.extend(
            (rules.scope.strangers && is_active(&state.registers[id])).then_some(Step::Touch(id as u8)),
        );
    }
    out.extend((rules.scope.page_loss && state.page.present).then_some(Step::LosePage));
}

/// One tick of true time. A lease that it ends is over before anything else happens (L3, L4).
pub(super) fn tick(rules: &Rules, state: &mut State, but: Option<usize>) {
    for id in rules.scope.ids() {
        let clock_stands =
            but.is_some_and(|p| state.registers[id].record.is_some_and(|r| r.process as usize == p));
        age_register(rules, &mut state.registers[id], clock_stands);
    }
    for p in 0..rules.scope.processes.len() {
        if but != Some(p) {
            age_process(rules, state, p);
        }
    }
}

fn age_register(rules: &Rules, register: &mut Register, clock_stands: bool) {
    if is_active(register) {
        grow(&mut register.age, rules.silence());
        grow(&mut register.sent, if clock_stands { 0 } else { rules.lease() });
        grow(&mut register.first_age, if store::counts_first_age(rules) { rules.silence() } else { 0 });
    }
    let vanished = register.lost.iter_mut().filter(|ticks| **ticks > 0);
    vanished.for_each(|ticks| grow(ticks, rules.loss() + 1));
    grow(&mut register.bare, if rules.has(Mutant::AbsentBeforeSeen) { rules.loss() } else { 0 });
}

/// Time that makes no difference any more is not counted.
fn grow(ticks: &mut u8, most: u8) {
    *ticks = (*ticks).max((*ticks + 1).min(most));
}

fn age_process(rules: &Rules, state: &mut State, p: usize) {
    let process = &mut state.processes[p];
    for flight in process.awaited.iter_mut().chain(&mut process.orphan) {
        grow(&mut flight.sent, rules.lease());
    }
    grow(&mut process.last_sent, if rules.has(Mutant::SharedSeq) { rules.lease() } else { 0 });
    if process.lease > 0 {
        process.lease -= 1;
        end_of_lease(rules, state, p);
    }
}

fn end_of_lease(rules: &Rules, state: &mut State, p: usize) {
    if state.processes[p].lease > 0 {
        return;
    }
    match rules.any(Mutant::EVENT_BEFORE_TIME) {
        // Its guards are false, but it does not look at the clock: it takes the next event as if nothing had happened.
        true => state.facts.over.insert(state.processes[p].who),
        false => lease::lapse(state, p),
    }
}

pub(super) fn crash(state: &mut State, p: usize) {
    lease::end(state, p, ProcessPhase::Dead);
}

pub(super) fn delete(rules: &Rules, state: &mut State, id: usize) {
    state.deletions += 1;
    store::put(rules, state, id, None, 0);
}

/// A new version with the same line, term and seq: the holder's writes are refused, and silence goes on being counted.
pub(super) fn touch(rules: &Rules, state: &mut State, id: usize) {
    let Register { record, age, sent, .. } = state.registers[id];
    store::put(rules, state, id, record, sent);
    state.registers[id].age = age;
}

fn is_active(register: &Register) -> bool {
    register.record.is_some_and(|record| record.stand == Stand::Active)
}

pub(super) fn lose_page(state: &mut State) {
    state.page.present = false;
    state.late_page = None;
}
