//! Everything that can happen, one small step at a time.
//!
//! A paused process is one whose steps are not taken while others' are: the search tries that at every point, so a pause needs
//! no step of its own. Nor does a stale read: see [`Facts`](super::Facts).

use super::incarnation::Incarnation;
use super::rules::Rules;
use super::state::State;
use super::{act, fault, lease, ledger, observe, store};

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Time passes by one tick, for all.
    Tick,
    /// Time passes, but the clock of this process stands still.
    TickBut(u8),
    /// A process reads its record and sends a join (L1).
    Join(u8),
    /// A member sends a renewal (L2).
    Renew(u8),
    /// A write under way lands.
    Land(u8, Slot),
    /// A process gets the answer `Stored`.
    Answer(u8),
    /// A process gets `Conflict`, or no answer, and reads its record fresh. True: the write may still land.
    LookAgain(u8, bool),
    /// A member lapses before its time (L4): its clock is fast, or its rate is out of bounds.
    Lapse(u8),
    /// A member leaves (L5).
    Leave(u8),
    /// A process crashes.
    Crash(u8),
    /// Somebody with proof of death writes `gone` (O4).
    Prove(u8),
    /// Somebody deposes a silent member (O2).
    Depose(u8),
    /// Somebody writes the ledger.
    Write(Plan),
    /// Somebody sends a ledger write that may land later, or never.
    Send(Plan),
    /// The late ledger write lands, or is refused.
    LandPage,
    /// A member ends an epoch of its own, for ever.
    Release(u8, u8),
    /// A member that has released sends the grant to the heir of this epoch.
    Grant(u8, u8),
    /// A process forgets what it has released; only for mutants.
    Forget(u8),
    /// A process takes its own unanswered P1 for stored; only for a mutant.
    Believe(u8),
    /// An operator deletes a member's record.
    Delete(u8),
    /// A stranger writes a member's record anew, with the same content.
    Touch(u8),
    /// An operator loses the page.
    LosePage,
    /// Somebody creates the page anew; only for a mutant.
    CreatePage,
}

/// Which write of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// The one whose answer it waits for.
    Awaited,
    /// The one it no longer waits for.
    Orphan,
}

/// A transition of a holding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// A new owner.
    P1(Incarnation),
    /// The heir becomes owner.
    P2,
    /// An heir is named.
    P3(Incarnation),
    /// An ended heir is replaced.
    P4(Incarnation),
    /// The move is called off.
    P5,
}

impl Step {
    /// All steps that the rules allow in `state`.
    pub fn all(rules: &Rules, state: &State, out: &mut Vec<Self>) {
        out.push(Self::Tick);
        lease::offer(rules, state, out);
        store::offer(rules, state, out);
        observe::offer(rules, state, out);
        ledger::offer(rules, state, out);
        act::offer(rules, state, out);
        fault::offer(rules, state, out);
    }

    /// The state after this step.
    pub fn take(self, rules: &Rules, before: &State) -> State {
        let mut state = before.clone();
        self.change(rules, &mut state);
        observe::judge(rules, &mut state);
        state
    }

    fn change(self, rules: &Rules, state: &mut State) {
        match self {
            Self::Tick => fault::tick(rules, state, None),
            Self::TickBut(p) => fault::tick(rules, state, Some(p.into())),
            Self::Join(p) => lease::join(rules, state, p.into()),
            Self::Renew(p) => lease::renew(rules, state, p.into()),
            Self::Land(p, slot) => store::land(rules, state, p.into(), slot),
            Self::Answer(p) => lease::answer(rules, state, p.into()),
            Self::LookAgain(p, may_land) => lease::look_again(rules, state, p.into(), may_land),
            Self::Lapse(p) => lease::lapse(state, p.into()),
            Self::Leave(p) => lease::leave(rules, state, p.into()),
            Self::Crash(p) => fault::crash(state, p.into()),
            Self::Prove(id) => observe::prove(rules, state, id.into()),
            Self::Depose(id) => observe::depose(rules, state, id.into()),
            Self::Write(plan) => ledger::write(rules, state, plan),
            Self::Send(plan) => ledger::send(rules, state, plan),
            Self::LandPage => ledger::land(rules, state),
            Self::Release(p, epoch) => act::release(state, p.into(), epoch),
            Self::Grant(_, heir) => act::grant(state, heir),
            Self::Forget(p) => act::forget(state, p.into()),
            Self::Believe(p) => ledger::believe(state, p.into()),
            Self::Delete(id) => fault::delete(rules, state, id.into()),
            Self::Touch(id) => fault::touch(rules, state, id.into()),
            Self::LosePage => fault::lose_page(state),
            Self::CreatePage => ledger::create(state),
        }
    }
}
