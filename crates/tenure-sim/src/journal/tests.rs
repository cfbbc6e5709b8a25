//! The journal keeps its promises in every state of every scope, and every flaw breaks one.

use tenure_core::journal::{Flaw, Rules};

use super::*;

fn on_names(scope: &Scope, rules: Rules) -> Outcome<names::Step> {
    search(names::State::new(scope, rules, false))
}

fn on_rows(scope: &Scope, rules: Rules) -> Outcome<rows::Step> {
    search(rows::State::new(scope, rules))
}

fn holds<S: std::fmt::Debug>(scopes: &[Scope], look: impl Fn(&Scope, Rules) -> Outcome<S>) {
    for scope in scopes {
        let Outcome { states, broken } = look(scope, Rules::default());
        println!("{:<12}{states:>10} states", scope.name);
        assert!(broken.is_none(), "{}: {broken:?}", scope.name);
    }
}

fn notices<S: std::fmt::Debug>(flaws: &[Flaw], scopes: &[Scope], look: impl Fn(&Scope, Rules) -> Outcome<S>) {
    for flaw in flaws {
        let found = scopes.iter().find_map(|scope| {
            let outcome = look(scope, Rules::without(*flaw));
            outcome.broken.map(|(promise, way)| (scope.name, promise, way.len(), outcome.states))
        });
        println!("{} {:<70} {found:?}", flaw.code(), flaw.text());
        assert!(found.is_some(), "{flaw:?} was not noticed");
    }
}

#[test]
fn every_promise_holds_on_names_in_every_state_of_every_scope() {
    holds(&Scope::OF_NAMES, on_names);
}

#[test]
fn every_promise_holds_on_rows_in_every_state_of_every_scope() {
    holds(&Scope::OF_ROWS, on_rows);
}

#[test]
fn every_flaw_of_names_breaks_a_promise() {
    notices(Flaw::OF_NAMES, &Scope::OF_NAMES, on_names);
}

/// A row that went back is none that was ever left so: only the seeds restore a table.
#[test]
fn every_flaw_of_rows_breaks_a_promise() {
    let flaws: Vec<Flaw> =
        Flaw::OF_ROWS.iter().copied().filter(|flaw| *flaw != Flaw::BackUnnoticed).collect();
    notices(&flaws, &Scope::OF_ROWS, on_rows);
}

#[test]
fn a_store_that_overwrites_breaks_a_promise() {
    let overwriting = |scope: &Scope| search(names::State::new(scope, Rules::default(), true)).broken;
    assert!(Scope::OF_NAMES.iter().any(|scope| overwriting(scope).is_some()));
}
