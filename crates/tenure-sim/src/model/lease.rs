//! A member's own lease: join, renew, lapse, leave (L1–L5).
//!
//! The whole of its safety is in [`credit`]: a lease counts from the sending of an attempt that is *known* to have landed, and
//! what is over stays over.

use super::act;
use super::incarnation::{Epochs, Incarnation};
use super::mutant::Mutant;
use super::observe;
use super::rules::Rules;
use super::state::{Flight, Flown, Process, ProcessPhase, Record, Stand, State, When};
use super::step::{Slot, Step};
use super::store;

pub(super) fn offer(rules: &Rules, state: &State, out: &mut Vec<Step>) {
    for p in 0..rules.scope.processes.len() {
        match state.processes[p].phase {
            ProcessPhase::Idle => out.extend(may_join(rules, state, p).then_some(Step::Join(p as u8))),
            ProcessPhase::Joining => offer_answers(rules, state, p, out),
            ProcessPhase::Member => offer_to_member(rules, state, p, out),
            ProcessPhase::Left | ProcessPhase::Dead => {}
        }
    }
}

fn offer_to_member(rules: &Rules, state: &State, p: usize, out: &mut Vec<Step>) {
    let process = &state.processes[p];
    offer_answers(rules, state, p, out);
    if rules.scope.lapse || process.lease == 0 {
        out.push(Step::Lapse(p as u8));
    }
    if process.lease > 0 {
        out.extend(process.awaited.is_none().then_some(Step::Renew(p as u8)));
        out.extend(may_leave(rules, state, p).then_some(Step::Leave(p as u8)));
    }
}

/// An answer may come, or be lost. A lost one, a `Conflict`, and a `Conflict` that a client library made of our own landed
/// write are all handled alike, so they are one step.
fn offer_answers(rules: &Rules, state: &State, p: usize, out: &mut Vec<Step>) {
    let Some(flight) = state.processes[p].awaited else { return };
    out.extend((flight.flown == Flown::Landed).then_some(Step::Answer(p as u8)));
    if rules.scope.unknown || flight.flown == Flown::Refused {
        out.push(Step::LookAgain(p as u8, false));
    }
    if rules.scope.unknown && flight.flown == Flown::Sent {
        out.push(Step::LookAgain(p as u8, true));
    }
}

/// L1: whether a fresh read of the record allows a join.
pub(super) fn may_join(rules: &Rules, state: &State, p: usize) -> bool {
    let scope = &rules.scope;
    let register = state.register_of(scope, p);
    if state.processes[p].lives >= scope.lives {
        return false;
    }
    let Some(record) = register.record else { return register.lines_drawn < scope.lines };
    record.who.term.max(state.processes[p].highest_term) < scope.terms && may_replace(rules, state, p, record)
}

fn may_replace(rules: &Rules, state: &State, p: usize, record: Record) -> bool {
    let silent = observe::is_silent(rules, state.register_of(&rules.scope, p));
    let former_life = record.process as usize == p && !rules.has(Mutant::FormerLifeMustBeSilent);
    let dead = observe::is_proved_dead(rules, state, record);
    record.stand != Stand::Active || silent || former_life || dead || rules.has(Mutant::JoinOverLive)
}

/// L1: reads the record, and sends the join that it allows.
pub(super) fn join(rules: &Rules, state: &mut State, p: usize) {
    if let Some(landed) = landed_join(rules, state, p) {
        return begin(rules, state, p, landed, state.register_of(&rules.scope, p).sent);
    }
    let id = rules.scope.id_of(p);
    let (who, when) = match state.registers[id].record {
        None => (draw_line(rules, state, p), When::Absent),
        Some(old) if rules.has(Mutant::SameLifeAgain) => (old.who, When::Unchanged),
        Some(old) => (old.who.next(), When::Unchanged),
    };
    let process = &mut state.processes[p];
    let who = if rules.has(Mutant::BlindRenewalRemembered) { remembered(process, who) } else { who };
    (process.phase, process.who, process.current) = (ProcessPhase::Joining, who, true);
    send(rules, state, p, record(p, who, Stand::Active, Epochs::default()), when);
    settle(rules, state, p);
}

/// `who`, or the life after the last that this process tried, if that is later.
fn remembered(process: &mut Process, who: Incarnation) -> Incarnation {
    let term = who.term.max(process.highest_term + 1);
    process.highest_term = term;
    Incarnation { term, ..who }
}

/// A line that nobody has drawn before.
fn draw_line(rules: &Rules, state: &mut State, p: usize) -> Incarnation {
    let id = rules.scope.id_of(p);
    let register = &mut state.registers[id];
    let line = if rules.has(Mutant::SameLineAgain) { p as u8 } else { register.lines_drawn };
    register.lines_drawn += 1;
    Incarnation { id: id as u8, line, term: 1 }
}

/// A join of this process that the record shows to have landed, and whose life has not been lived.
fn landed_join(rules: &Rules, state: &State, p: usize) -> Option<Incarnation> {
    let record = state.register_of(&rules.scope, p).record?;
    let ours = record.process as usize == p && record.stand == Stand::Active;
    (ours && !state.facts.over.has(record.who)).then_some(record.who)
}

/// The member has joined: its life begins, with what is left of the lease.
fn begin(rules: &Rules, state: &mut State, p: usize, who: Incarnation, sent: u8) {
    let process = &mut state.processes[p];
    (process.phase, process.who, process.current) = (ProcessPhase::Member, who, true);
    (process.awaited, process.released) = (None, Epochs::default());
    process.lives += 1;
    credit(rules, process, sent);
    if process.lease == 0 {
        lapse(state, p);
    }
}

/// L2: sends a renewal.
pub(super) fn renew(rules: &Rules, state: &mut State, p: usize) {
    let process = &state.processes[p];
    let when = match rules.any(Mutant::BLIND_RENEWAL) {
        true => When::Always,
        false => When::Unchanged,
    };
    send(rules, state, p, record(p, process.who, Stand::Active, act::carried(rules, state, p)), when);
    settle(rules, state, p);
}

fn record(p: usize, who: Incarnation, stand: Stand, released: Epochs) -> Record {
    Record { who, process: p as u8, stand, released }
}

/// Sends an attempt. One whose version is no longer the stored one can only be refused.
fn send(rules: &Rules, state: &mut State, p: usize, record: Record, when: When) {
    let process = &mut state.processes[p];
    let refused = when == When::Unchanged && !process.current;
    let flown = if refused { Flown::Refused } else { Flown::Sent };
    if process.awaited.is_some_and(|flight| flight.flown == Flown::Sent) && rules.scope.unknown {
        process.orphan = process.awaited;
    }
    process.awaited = Some(Flight { flown, record, sent: 0, when });
    process.last_sent = 0;
}

/// In scopes where every outcome is known, a write lands and is answered, or is refused and looked into, at once.
fn settle(rules: &Rules, state: &mut State, p: usize) {
    let Some(flight) = state.processes[p].awaited.filter(|_| !rules.scope.unknown) else { return };
    if flight.flown == Flown::Refused {
        return look_again(rules, state, p, false);
    }
    store::land(rules, state, p, Slot::Awaited);
    answer(rules, state, p);
}

/// L2, L3: `Stored` counts from the sending. The tick that ended a lease has made its holder lapse, so nothing is revived.
pub(super) fn answer(rules: &Rules, state: &mut State, p: usize) {
    let Some(flight) = state.processes[p].awaited.take() else { return };
    count(rules, state, p, flight);
}

fn count(rules: &Rules, state: &mut State, p: usize, flight: Flight) {
    match state.processes[p].phase {
        ProcessPhase::Joining => begin(rules, state, p, flight.record.who, flight.sent),
        _ => credit(rules, &mut state.processes[p], flight.sent),
    }
}

/// L2: `valid_until = max(valid_until, sent_at + lease)`.
fn credit(rules: &Rules, process: &mut Process, sent: u8) {
    let sent = if rules.has(Mutant::FromReply) { 0 } else { sent };
    process.lease = process.lease.max(rules.lease().saturating_sub(sent));
}

/// L2: `Conflict` and `Indeterminate` extend nothing. The member reads its record fresh, and what it finds decides.
pub(super) fn look_again(rules: &Rules, state: &mut State, p: usize, may_land: bool) {
    let Some(flight) = state.processes[p].awaited.take() else { return };
    if may_land {
        state.processes[p].orphan = Some(flight);
    }
    let joining = state.processes[p].phase == ProcessPhase::Joining;
    let trusting = if joining { Mutant::UnknownJoin } else { Mutant::UnknownRenewal };
    match (rules.has(trusting), joining) {
        (true, _) => count(rules, state, p, flight),
        (false, true) => find_join(rules, state, p),
        (false, false) => find_lease(rules, state, p),
    }
}

fn find_join(rules: &Rules, state: &mut State, p: usize) {
    match landed_join(rules, state, p) {
        Some(who) => begin(rules, state, p, who, state.register_of(&rules.scope, p).sent),
        None => idle(&mut state.processes[p]),
    }
}

fn find_lease(rules: &Rules, state: &mut State, p: usize) {
    let register = *state.register_of(&rules.scope, p);
    let ours = |record: &Record| record.process as usize == p && record.who == state.processes[p].who;
    match register.record.filter(|record| record.stand == Stand::Active && ours(record)) {
        Some(_) => {
            let process = &mut state.processes[p];
            let sent = if rules.has(Mutant::SharedSeq) { process.last_sent } else { register.sent };
            process.current = true;
            credit(rules, process, sent);
        }
        None if rules.has(Mutant::GoesOnUntilTheEnd) => {}
        None => lapse(state, p),
    }
}

/// L4: every guard is false; this life is over.
pub(super) fn lapse(state: &mut State, p: usize) {
    end(state, p, ProcessPhase::Idle);
}

/// L5: detaches for ever, and only then sends `gone`.
pub(super) fn leave(rules: &Rules, state: &mut State, p: usize) {
    let who = state.processes[p].who;
    send(rules, state, p, record(p, who, Stand::Gone, Epochs::default()), When::Unchanged);
    if rules.any(&[Mutant::GoneWhileActing, Mutant::GoneWhileIdle]) {
        return;
    }
    let gone = state.processes[p].awaited.take();
    end(state, p, ProcessPhase::Left);
    state.processes[p].awaited = gone.filter(|flight| flight.flown == Flown::Sent);
    settle(rules, state, p);
}

fn may_leave(rules: &Rules, state: &State, p: usize) -> bool {
    let still_open = rules.any(&[Mutant::GoneWhileActing, Mutant::GoneWhileIdle]);
    let busy = !act::epochs_of(state, p).is_empty();
    let quiet = state.processes[p].awaited.is_none();
    rules.scope.leave && (!still_open || quiet) && !(rules.has(Mutant::GoneWhileIdle) && busy)
}

/// Ends a life. What it has sent may still land.
pub(super) fn end(state: &mut State, p: usize, phase: ProcessPhase) {
    let process = &mut state.processes[p];
    if process.who.is_somebody() && process.phase == ProcessPhase::Member {
        state.facts.over.insert(process.who);
    }
    store::abandon(process);
    idle(process);
    process.phase = phase;
}

fn idle(process: &mut Process) {
    let Process { orphan, lives, highest_term, .. } = *process;
    *process = Process { orphan, lives, highest_term, ..Process::default() };
}
