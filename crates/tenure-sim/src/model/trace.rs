//! Tells a way through the model in words, one line for each step.

use super::act;
use super::incarnation::{Epochs, Incarnation};
use super::rules::Rules;
use super::scope::Scope;
use super::state::{Holder, ProcessPhase, State};
use super::step::{Plan, Step};

/// The story of `steps` from the beginning; the last lines say how things stand at the end.
pub fn tell(rules: &Rules, steps: &[Step]) -> String {
    let mut state = State::first();
    let mut lines = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let after = step.take(rules, &state);
        lines.push(format!(
            "{:>3}. {}{}",
            number + 1,
            says(&rules.scope, *step, &after),
            news(&state, &after)
        ));
        state = after;
    }
    lines.extend((0..rules.scope.processes.len()).map(|p| stands(rules, &state, p)));
    lines.push(format!("     the ledger names {}", page(&state)));
    lines.join("\n")
}

/// A process by the letter of its member; a second one with the same id gets a stroke.
fn process(scope: &Scope, p: usize) -> String {
    let before = scope.processes[..p].iter().filter(|id| **id == scope.processes[p]).count();
    format!("{}{}", member(scope.id_of(p)), "'".repeat(before))
}

fn member(id: usize) -> char {
    (b'A' + id as u8) as char
}

/// An incarnation: member, line as a letter, term.
fn life(who: Incarnation) -> String {
    match who.is_somebody() {
        true => format!("{}#{}{}", member(who.id.into()), (b'a' + who.line) as char, who.term),
        false => "nobody".into(),
    }
}

fn says(scope: &Scope, step: Step, after: &State) -> String {
    let who = |p: u8| process(scope, p.into());
    let own = |p: u8| life(after.processes[usize::from(p)].who);
    match step {
        Step::Tick => "a tick".into(),
        Step::TickBut(p) => format!("a tick, but {}'s clock stands still", who(p)),
        Step::Join(p) => format!("{} reads its record and joins as {}", who(p), own(p)),
        Step::Renew(p) => format!("{} sends a renewal", who(p)),
        Step::Land(p, slot) => {
            format!("{}'s {slot:?} write lands", who(p)).replace("Awaited ", "").replace("Orphan", "late")
        }
        Step::Answer(p) => format!("{} hears: stored", who(p)),
        Step::LookAgain(p, true) => {
            format!("{} hears nothing (its write may still land) and reads its record", who(p))
        }
        Step::LookAgain(p, false) => format!("{} hears nothing, or: conflict, and reads its record", who(p)),
        Step::Lapse(p) => format!("{} lapses", who(p)),
        Step::Leave(p) => format!("{} leaves and sends gone", who(p)),
        Step::Crash(p) => format!("{} crashes", who(p)),
        Step::Prove(id) => format!("a proof of death makes {}'s record gone", member(id.into())),
        Step::Depose(id) => format!("somebody finds {} silent and deposes it", member(id.into())),
        Step::Write(plan) => format!("somebody writes {}", says_plan(plan, after)),
        Step::Send(plan) => format!("somebody sends {}", says_plan(plan, after)),
        Step::LandPage => "the late ledger write arrives".into(),
        Step::Release(p, epoch) => format!("{} releases epoch {epoch}", who(p)),
        Step::Grant(p, heir) => format!("{} sends the grant for epoch {heir}", who(p)),
        Step::Forget(p) => format!("{} forgets what it released", who(p)),
        Step::Believe(p) => format!("{} hears nothing of its P1 and takes it for stored", who(p)),
        Step::Delete(id) => format!("an operator deletes {}'s record", member(id.into())),
        Step::Touch(id) => format!("a stranger touches {}'s record", member(id.into())),
        Step::LosePage => "an operator loses the page".into(),
        Step::CreatePage => "somebody creates the page anew".into(),
    }
}

fn says_plan(plan: Plan, after: &State) -> String {
    let written = after.late_page.map_or(after.page, |(_, page)| page);
    match plan {
        Plan::P1(_) => format!("P1: the owner is {}", entry(written.owner)),
        Plan::P2 => format!("P2: the heir becomes owner, {}", entry(written.owner)),
        Plan::P3(_) => format!("P3: the heir is {}", entry(written.heir)),
        Plan::P4(_) => format!("P4: the heir is now {}", entry(written.heir)),
        Plan::P5 => "P5: the move is called off".into(),
    }
}

fn entry(entry: Holder) -> String {
    match entry.is_some() {
        true => format!("{} at epoch {}", life(entry.who), entry.epoch),
        false => "nobody".into(),
    }
}

/// What could be known by this step for the first time.
fn news(before: &State, after: &State) -> String {
    let closed = after.facts.closed.iter().filter(|who| !before.facts.closed.has(*who));
    let over = after.facts.over.iter().filter(|who| !before.facts.over.has(*who));
    let closed = closed.map(|who| format!("; {} is closed", life(who)));
    closed.chain(over.map(|who| format!("; {} is over", life(who)))).collect()
}

fn stands(rules: &Rules, state: &State, p: usize) -> String {
    let (process_state, name) = (&state.processes[p], process(&rules.scope, p));
    let acts = act::acts(rules, state, p);
    match process_state.phase {
        ProcessPhase::Member => format!(
            "     {name} is {}, its lease valid for {} ticks, and {}",
            life(process_state.who),
            process_state.lease,
            says_acts(acts)
        ),
        ProcessPhase::Idle | ProcessPhase::Joining | ProcessPhase::Left | ProcessPhase::Dead => {
            format!("     {name} is {}", format!("{:?}", process_state.phase).to_lowercase())
        }
    }
}

fn says_acts(acts: Epochs) -> String {
    match acts.is_empty() {
        true => "it may not act".into(),
        false => format!(
            "it may act at epoch {}",
            acts.iter().map(|e| e.to_string()).collect::<Vec<_>>().join(" and ")
        ),
    }
}

fn page(state: &State) -> String {
    let page = state.page;
    format!("owner {}, heir {}, top {}", entry(page.owner), entry(page.heir), page.top)
}
