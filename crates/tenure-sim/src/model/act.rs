//! Acting: who may (W1), releasing and granting, and what of it a record carries (G1).
//!
//! A stale ledger never makes an owner unsafe (W2), so acting asks what *any* page ever said, not what the present one says.

use super::facts::Named;
use super::incarnation::{Epochs, Incarnation};
use super::mutant::Mutant;
use super::rules::Rules;
use super::state::{Holder, Page, Process, ProcessPhase, State};
use super::step::Step;
use super::{ledger, observe};

pub(super) fn offer(rules: &Rules, state: &State, out: &mut Vec<Step>) {
    for p in 0..rules.scope.processes.len() {
        let process = &state.processes[p];
        if process.phase != ProcessPhase::Member || process.lease == 0 {
            continue;
        }
        if rules.scope.release {
            out.extend(epochs_of(state, p).iter().map(|epoch| Step::Release(p as u8, epoch)));
        }
        out.extend(grants(rules, state, process).map(|heir| Step::Grant(p as u8, heir)));
        out.extend(may_forget(rules, state, process).then_some(Step::Forget(p as u8)));
    }
}

/// The epochs that any page gave to this very life and that it has not released.
pub(super) fn epochs_of(state: &State, p: usize) -> Epochs {
    let process = &state.processes[p];
    let mut epochs = Epochs::default();
    for (epoch, named) in state.facts.epochs() {
        if named.who == process.who && epoch > process.released.highest() {
            epochs.insert(epoch);
        }
    }
    epochs
}

/// W1: the epochs for which process `p` may act now.
pub(super) fn acts(rules: &Rules, state: &State, p: usize) -> Epochs {
    let process = &state.processes[p];
    let mut epochs = Epochs::default();
    if process.lease == 0 {
        return epochs;
    }
    for (epoch, named) in state.facts.epochs() {
        let may = owns(rules, process, named) || succeeds(rules, state, process, epoch, named);
        if may && epoch > process.released.highest() {
            epochs.insert(epoch);
        }
    }
    if process.believes > 0 {
        epochs.insert(process.believes);
    }
    epochs
}

fn owns(rules: &Rules, process: &Process, named: Named) -> bool {
    named.owner && is_me(process, named.who, rules.has(Mutant::OwnerById))
}

fn is_me(process: &Process, who: Incarnation, by_id: bool) -> bool {
    process.who == who || by_id && process.who.id == who.id
}

fn succeeds(rules: &Rules, state: &State, process: &Process, epoch: u8, named: Named) -> bool {
    let heir = named.heir_of > 0 && is_me(process, named.who, rules.has(Mutant::HeirById));
    heir && (has_evidence(rules, state, epoch, named) || rules.has(Mutant::HeirWithoutEvidence))
}

/// W1: the owner's record says released, the owner is closed, or the owner has sent a grant for exactly these epochs.
fn has_evidence(rules: &Rules, state: &State, epoch: u8, named: Named) -> bool {
    let owner = Holder { who: state.facts.holder(named.heir_of), epoch: named.heir_of };
    ledger::ended(rules, state, owner) || is_granted(rules, state, epoch, named)
}

fn is_granted(rules: &Rules, state: &State, epoch: u8, named: Named) -> bool {
    let facts = &state.facts;
    let between = |named: Named| (facts.holder(named.heir_of), named.who);
    let another = |other: u8| between(facts.named[other as usize]) == between(named);
    facts.granted.has(epoch) || rules.has(Mutant::GrantAnyEpoch) && facts.granted.iter().any(another)
}

/// The guard is closed for ever at this epoch.
pub(super) fn release(state: &mut State, p: usize, epoch: u8) {
    state.processes[p].released.insert(epoch);
}

/// The heirs' epochs for which this process may send a grant: it was the owner and has released.
fn grants(rules: &Rules, state: &State, process: &Process) -> impl Iterator<Item = u8> {
    let (facts, process) = (state.facts, *process);
    let early = rules.has(Mutant::GrantBeforeClose);
    let mine = move |named: Named| named.heir_of > 0 && facts.holder(named.heir_of) == process.who;
    let closed = move |named: Named| process.released.has(named.heir_of) || early;
    let fitting =
        state.facts.named.into_iter().enumerate().filter(move |(_, named)| mine(*named) && closed(*named));
    fitting.map(|(epoch, _)| epoch as u8).filter(move |epoch| !facts.granted.has(*epoch))
}

/// The grant is sent. It may arrive at any time, and twice.
pub(super) fn grant(state: &mut State, heir: u8) {
    state.facts.granted.insert(heir);
}

/// G1: a release stays in the record until a page shows that nobody needs it.
pub(super) fn carried(rules: &Rules, state: &State, p: usize) -> Epochs {
    let mut carried = state.processes[p].released;
    for epoch in carried.iter() {
        let early = rules.has(Mutant::ReleaseCollectedEarly) && state.facts.published.has(epoch);
        if is_settled(&state.page, epoch) || early {
            carried.remove(epoch);
        }
    }
    if rules.has(Mutant::ReleasedBeforeClose) {
        epochs_of(state, p).iter().for_each(|epoch| carried.insert(epoch));
    }
    carried
}

fn is_settled(page: &Page, epoch: u8) -> bool {
    page.top >= epoch && page.owner.epoch != epoch && page.heir.epoch != epoch
}

fn may_forget(rules: &Rules, state: &State, process: &Process) -> bool {
    let settled = |epoch: u8| is_settled(&state.page, epoch);
    let mut released = process.released.iter();
    rules.has(Mutant::ReleaseForgotten) && released.any(|epoch| !settled(epoch))
        || rules.has(Mutant::ReleaseForgottenSettled) && released.any(settled)
}

pub(super) fn forget(state: &mut State, p: usize) {
    state.processes[p].released = Epochs::default();
}

/// W1 by what can be read now, without anybody's memory: for I6, where a fact that nobody can read any more does not help.
pub(super) fn acts_by_present_reads(rules: &Rules, state: &State, p: usize) -> bool {
    let (process, page) = (&state.processes[p], &state.page);
    let holds = |entry: Holder| entry.who == process.who && entry.epoch > process.released.highest();
    let succeeds = holds(page.heir) && ended_by_present_reads(rules, state, page.owner);
    page.present && process.lease > 0 && (holds(page.owner) || succeeds)
}

/// Whether the store shows now that this entry's holder is closed or has released it.
pub(super) fn ended_by_present_reads(rules: &Rules, state: &State, entry: Holder) -> bool {
    if !entry.is_some() {
        return true;
    }
    let record = state.registers[entry.who.id as usize].record;
    let released = record.is_some_and(|record| record.who == entry.who && record.released.has(entry.epoch));
    released || observe::is_closed(rules, state, entry.who)
}
