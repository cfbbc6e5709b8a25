//! The protocol keeps its promises in every state of every scope.

use super::*;

fn keeps_every_promise(scope: Scope) {
    let rules = Rules::sound(scope);
    let outcome = Search::new(rules).run();
    println!(
        "{:<12}{:>10} states, depth {:>3}, {:?}",
        scope.name, outcome.states, outcome.depth, outcome.elapsed
    );
    if let Some(violation) = outcome.violation {
        panic!("{} in {}:\n{}", violation.promise, scope.name, tell(&rules, &violation.steps));
    }
    assert!(outcome.complete, "the search of {} gave up", scope.name);
}

macro_rules! scopes {
    ($($name:ident $scope:ident;)*) => {
        $(#[test]
        fn $name() {
            keeps_every_promise(Scope::$scope);
        })*

        #[test]
        fn every_scope_is_searched() {
            assert_eq!([$(Scope::$scope.name),*], Scope::ALL.map(|scope| scope.name));
        }
    };
}

scopes! {
    a_lease_keeps_every_promise LEASE;
    two_processes_with_one_id_keep_every_promise TWINS;
    a_deleted_record_breaks_no_promise DELETION;
    moves_there_and_back_keep_every_promise MOVES;
    leaving_keeps_every_promise LEAVING;
    failover_keeps_every_promise FAILOVER;
    late_answers_break_no_promise PAUSE;
    a_restart_keeps_every_promise RESTART;
    three_members_keep_every_promise THREE;
    late_ledger_writes_break_no_promise LATE_PAGES;
    a_deleted_record_of_a_living_owner_breaks_no_promise ORPHANS;
    once_faults_stop_the_shard_is_served HEALING;
}

#[test]
fn the_numbers_of_the_lease_are_as_tight_as_they_can_be() {
    for timing in [Timing::TIGHT, Timing::LONG] {
        assert_eq!(timing.longest_lease(), timing.shortest_silence());
    }
}
