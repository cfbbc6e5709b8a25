//! I4: an incarnation that anybody can judge closed has no valid lease, now or later.

use super::super::state::State;

pub(super) fn holds(state: &State) -> bool {
    state.processes.iter().all(|process| process.lease == 0 || !state.facts.closed.has(process.who))
}
