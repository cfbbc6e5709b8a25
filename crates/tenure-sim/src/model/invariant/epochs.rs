//! I3: whoever may act at an epoch, every lower epoch is ended.

use super::super::act;
use super::super::rules::Rules;
use super::super::state::State;

pub(super) fn holds(rules: &Rules, state: &State) -> bool {
    (0..rules.scope.processes.len()).all(|p| all_ended_below(state, act::acts(rules, state, p).highest()))
}

fn all_ended_below(state: &State, epoch: u8) -> bool {
    state.facts.epochs().take_while(|(lower, _)| *lower < epoch).all(|(lower, _)| is_ended(state, lower))
}

/// Its holder has no lease, or has closed its guard at this epoch.
fn is_ended(state: &State, epoch: u8) -> bool {
    let holder = state.facts.holder(epoch);
    state.processes.iter().all(|p| p.who != holder || p.lease == 0 || p.released.highest() >= epoch)
}
