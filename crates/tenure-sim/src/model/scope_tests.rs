//! The protocol keeps its promises in every state of every scope.

use super::*;

#[test]
fn every_promise_holds_in_every_state() {
    for scope in Scope::ALL {
        let rules = Rules::sound(scope);
        let outcome = Search::new(rules).run();
        println!(
            "{:<12}{:>10} states, depth {:>3}, {:?}",
            scope.name, outcome.states, outcome.depth, outcome.elapsed
        );
        if let Some(violation) = outcome.violation {
            panic!("{:?} in {}:\n{}", violation.invariant, scope.name, tell(&rules, &violation.steps));
        }
        assert!(outcome.complete, "{}", scope.name);
    }
}
