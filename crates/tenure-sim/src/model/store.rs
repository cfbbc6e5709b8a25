//! The store: registers with conditional writes, which can be late, lost, or landed without an answer.

use super::mutant::Mutant;
use super::rules::Rules;
use super::state::{Flight, Flown, Process, ProcessPhase, Record, Register, Stand, State, When};
use super::step::{Slot, Step};

pub(super) fn offer(rules: &Rules, state: &State, out: &mut Vec<Step>) {
    for p in 0..rules.scope.processes.len() {
        let process = &state.processes[p];
        let record = state.register_of(&rules.scope, p).record;
        for (slot, flight) in [(Slot::Awaited, process.awaited), (Slot::Orphan, process.orphan)] {
            out.extend(flight.is_some_and(|f| can_land(&f, record)).then_some(Step::Land(p as u8, slot)));
        }
    }
}

fn can_land(flight: &Flight, record: Option<Record>) -> bool {
    flight.flown == Flown::Sent && (flight.when != When::Absent || record.is_none())
}

/// A write lands; if it is awaited, its answer is on the way.
pub(super) fn land(rules: &Rules, state: &mut State, p: usize, slot: Slot) {
    let process = &mut state.processes[p];
    let flight = match slot {
        Slot::Awaited => process.awaited.take(),
        Slot::Orphan => process.orphan.take(),
    };
    let Some(flight) = flight else { return };
    put(rules, state, rules.scope.id_of(p), Some(flight.record), flight.sent);
    if slot == Slot::Awaited && flight.record.stand == Stand::Active {
        state.processes[p].awaited = Some(Flight { flown: Flown::Landed, ..flight });
        state.processes[p].current = true;
    }
}

/// Changes a register. Every conditional write under way to it is refused from now on: its version will not come back.
pub(super) fn put(rules: &Rules, state: &mut State, id: usize, record: Option<Record>, sent: u8) {
    let register = &mut state.registers[id];
    note_lines(register, record);
    let same_life = register.record.map(|old| old.who) == record.map(|new| new.who);
    register.first_age = if same_life { register.first_age } else { 0 };
    (register.record, register.age, register.sent) = (record, 0, sent);
    for p in rules.scope.processes_of(id) {
        refuse(&mut state.processes[p]);
    }
    note_facts(state, record);
}

/// Keeps count of the lines whose record is there no more (O3b).
fn note_lines(register: &mut Register, new: Option<Record>) {
    let line = |record: Option<Record>| record.map(|record| record.who.line as usize);
    let (old, new) = (line(register.record), line(new));
    if let Some(vanished) = old.filter(|_| old != new) {
        register.lost[vanished] = 1;
    }
    if let Some(there) = new {
        register.lost[there] = 0;
    }
}

fn note_facts(state: &mut State, record: Option<Record>) {
    let Some(record) = record else { return };
    if record.stand == Stand::Active {
        state.facts.seen.insert(record.who);
        let own = |epoch: &u8| state.facts.holder(*epoch) == record.who;
        let published: Vec<u8> = record.released.iter().filter(own).collect();
        published.into_iter().for_each(|epoch| state.facts.published.insert(epoch));
    }
}

fn refuse(process: &mut Process) {
    let refused = |flight: &Flight| flight.flown == Flown::Sent && flight.when == When::Unchanged;
    process.current = false;
    process.orphan = process.orphan.filter(|flight| !refused(flight));
    if let Some(flight) = process.awaited.as_mut().filter(|flight| refused(flight)) {
        flight.flown = Flown::Refused;
    }
    if matches!(process.phase, ProcessPhase::Left | ProcessPhase::Dead) {
        process.awaited = process.awaited.filter(|flight| flight.flown == Flown::Sent);
    }
}

/// Nobody waits for the answer any more; the write itself may still land.
pub(super) fn abandon(process: &mut Process) {
    if let Some(flight) = process.awaited.take().filter(|flight| flight.flown == Flown::Sent) {
        process.orphan = Some(flight);
    }
}

/// Whether stale observers are to be told apart: they count from the first version of a life.
pub(super) fn counts_first_age(rules: &Rules) -> bool {
    rules.any(&[Mutant::DeposeAnyVersion, Mutant::SilenceCloses])
}
