//! I2: epochs of a holding only grow; one epoch names one incarnation, for ever. The ledger notes it as it is written.

use super::super::state::State;

pub(super) fn holds(state: &State) -> bool {
    !state.facts.numbering_broken
}
