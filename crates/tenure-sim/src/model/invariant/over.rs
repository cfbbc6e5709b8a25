//! I5: a lapsed incarnation never acts again.

use super::super::state::State;

pub(super) fn holds(state: &State) -> bool {
    state.processes.iter().all(|process| process.lease == 0 || !state.facts.over.has(process.who))
}
