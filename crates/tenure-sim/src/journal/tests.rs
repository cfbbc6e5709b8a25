//! The journal keeps its promises in every state of every scope, and every flaw breaks one.

use tenure_core::journal::{FLAWS, Flaw, Rules};

use super::*;

#[test]
fn every_promise_holds_in_every_state_of_every_scope() {
    for scope in Scope::ALL {
        let Outcome { states, broken } = search(&scope, Rules::default(), false);
        println!("{:<12}{states:>10} states", scope.name);
        assert!(broken.is_none(), "{}: {broken:#?}", scope.name);
    }
}

#[test]
fn every_flaw_breaks_a_promise() {
    for flaw in FLAWS {
        let found = Scope::ALL.iter().find_map(|scope| {
            let outcome = search(scope, Rules::without(*flaw), false);
            outcome.broken.map(|(promise, way)| (scope.name, promise, way.len(), outcome.states))
        });
        println!("{} {:<70} {found:?}", flaw.code(), flaw.text());
        assert!(found.is_some(), "{flaw:?} was not noticed");
    }
}

#[test]
fn a_store_that_overwrites_breaks_a_promise() {
    let _ = Flaw::NoFence;
    let found = Scope::ALL.iter().any(|scope| search(scope, Rules::default(), true).broken.is_some());
    assert!(found);
}
