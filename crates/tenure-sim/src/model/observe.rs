//! Observing others: silence, deposing, closed, proof of death (O1–O4).
//!
//! Nobody in particular observes. What is said here holds for the quickest observer there could be.

use super::incarnation::Incarnation;
use super::mutant::Mutant;
use super::rules::Rules;
use super::state::{ProcessPhase, Record, Register, Stand, State};
use super::step::Step;
use super::store;

pub(super) fn offer(rules: &Rules, state: &State, out: &mut Vec<Step>) {
    for id in rules.scope.ids() {
        let register = &state.registers[id];
        let Some(record) = register.record.filter(|record| record.stand == Stand::Active) else { continue };
        out.extend(may_depose(rules, register).then_some(Step::Depose(id as u8)));
        out.extend(is_proved_dead(rules, state, record).then_some(Step::Prove(id as u8)));
    }
}

/// O1: the quickest observer saw this version as it landed.
pub(super) fn is_silent(rules: &Rules, register: &Register) -> bool {
    let seen_before_it_landed = u8::from(rules.has(Mutant::SeenAtRequest));
    register.age + seen_before_it_landed >= rules.silence()
}

/// Somebody keeps reading the first version of this life from a cache, and takes the member for silent.
fn is_silent_to_a_stale_observer(rules: &Rules, register: &Register) -> bool {
    register.first_age >= rules.silence()
}

/// O2: only the very version that is silent is replaced, so only a fresh observer succeeds.
pub(super) fn may_depose(rules: &Rules, register: &Register) -> bool {
    match rules.mutant {
        Some(Mutant::NobodyDeposes) => false,
        Some(Mutant::DeposeAnyVersion) => is_silent_to_a_stale_observer(rules, register),
        _ => is_silent(rules, register),
    }
}

pub(super) fn depose(rules: &Rules, state: &mut State, id: usize) {
    restate(rules, state, id, Stand::Deposed);
}

/// O4: the process that wrote this record has ended.
pub(super) fn is_proved_dead(rules: &Rules, state: &State, record: Record) -> bool {
    let dead = |p: usize| state.processes[p].phase == ProcessPhase::Dead;
    let any_life = rules.has(Mutant::ProofOfAnyLife);
    let somebody = || rules.scope.processes_of(record.who.id.into()).any(dead);
    rules.scope.proof && (dead(record.process.into()) || any_life && somebody())
}

pub(super) fn prove(rules: &Rules, state: &mut State, id: usize) {
    restate(rules, state, id, Stand::Gone);
}

fn restate(rules: &Rules, state: &mut State, id: usize, stand: Stand) {
    let record = state.registers[id].record.map(|record| Record { stand, ..record });
    store::put(rules, state, id, record, 0);
}

/// O3: notes everybody whom somebody can judge closed now. They are closed for ever.
pub(super) fn judge(rules: &Rules, state: &mut State) {
    for who in state.facts.seen.iter() {
        if is_closed(rules, state, who) {
            state.facts.closed.insert(who);
        }
    }
}

/// O3: whether somebody can judge `who` closed by what the store shows now.
pub(super) fn is_closed(rules: &Rules, state: &State, who: Incarnation) -> bool {
    let register = &state.registers[who.id as usize];
    let ended = register.record.is_some_and(|record| shows_end(record, who));
    ended || is_lost(rules, register, who) || is_misjudged(rules, state, register, who)
}

/// O3a: the same line with a greater term, or with the same and `gone` or `deposed`.
fn shows_end(record: Record, who: Incarnation) -> bool {
    let (term, stand) = (record.who.term, record.stand);
    record.who.same_line(who) && (term > who.term || term == who.term && stand != Stand::Active)
}

/// O3b: two fresh reads, far enough apart, and after it was seen, found no record of this line.
fn is_lost(rules: &Rules, register: &Register, who: Incarnation) -> bool {
    register.lost[who.line as usize] > rules.loss() && !rules.has(Mutant::AbsentNeverCloses)
}

/// What the mutants take for closed.
fn is_misjudged(rules: &Rules, state: &State, register: &Register, who: Incarnation) -> bool {
    let Some(mutant) = rules.mutant else { return false };
    let shown = register.record.map(|record| record.who);
    let living = shown == Some(who);
    match mutant {
        Mutant::SilenceCloses => living && is_silent_to_a_stale_observer(rules, register),
        Mutant::SilenceClosesFresh | Mutant::SilenceClosesNoTime => living && is_silent(rules, register),
        Mutant::AbsentCloses => shown.is_none(),
        Mutant::AbsentBeforeSeen => shown.is_none() && register.bare >= rules.loss(),
        Mutant::OtherLineCloses => shown.is_some_and(|other| !other.same_line(who)),
        Mutant::OtherLifeClosesStale => {
            state.facts.seen.iter().any(|other| other.id == who.id && other != who)
        }
        Mutant::OtherLifeCloses | Mutant::OtherLifeClosesDeleted | Mutant::BlindRenewalOtherLife => {
            shown.is_some_and(|other| other != who)
        }
        _ => false,
    }
}
