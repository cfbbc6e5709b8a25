//! I1: no instant has two members that may act for one shard.

use super::super::act;
use super::super::rules::Rules;
use super::super::state::State;

pub(super) fn holds(rules: &Rules, state: &State) -> bool {
    let acting = |p: &usize| !act::acts(rules, state, *p).is_empty();
    (0..rules.scope.processes.len()).filter(acting).count() <= 1
}
