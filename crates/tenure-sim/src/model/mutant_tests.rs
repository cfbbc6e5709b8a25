//! Every mutant meets its fate: it breaks each promise that it is said to break, and no promise that it is said to spare.

use super::*;
use crate::promises::Promise;

fn search(mutant: Mutant, promises: Promises) -> Outcome {
    Search::new(Rules::broken(mutant.scope(), mutant)).asserting(promises).run()
}

fn story(mutant: Mutant, outcome: &Outcome) -> String {
    let violation = outcome.violation.as_ref().map(|violation| &violation.steps);
    violation.map(|steps| tell(&Rules::broken(mutant.scope(), mutant), steps)).unwrap_or_default()
}

fn breaks(mutant: Mutant, promise: Promise) -> Result<(), String> {
    let outcome = search(mutant, Promises::only(promise));
    let steps = outcome.violation.as_ref().map(|violation| violation.steps.len());
    println!(
        "{:<5}{promise} in {steps:?} steps, {} states, {:?}",
        mutant.code(),
        outcome.states,
        outcome.elapsed
    );
    match steps {
        Some(_) => Ok(()),
        None => Err(format!("{} does not break {promise} in {}", mutant.code(), mutant.scope().name)),
    }
}

fn keeps(mutant: Mutant, promises: Promises) -> Result<(), String> {
    let outcome = search(mutant, promises);
    println!("{:<5}keeps {promises:?}: {} states, {:?}", mutant.code(), outcome.states, outcome.elapsed);
    match &outcome.violation {
        None if outcome.complete => Ok(()),
        None => Err(format!("{}: the search gave up", mutant.code())),
        Some(violation) => {
            Err(format!("{} breaks {}:\n{}", mutant.code(), violation.promise, story(mutant, &outcome)))
        }
    }
}

fn meets_its_fate(mutant: Mutant) -> Result<(), String> {
    match mutant.fate() {
        Fate::Survives { .. } => keeps(mutant, mutant.scope().promises()),
        Fate::Killed { breaks: broken, spares } => {
            broken.iter().try_for_each(|promise| breaks(mutant, *promise))?;
            if spares.is_empty() { Ok(()) } else { keeps(mutant, Promises::of(spares)) }
        }
    }
}

#[test]
fn every_mutant_meets_its_fate() {
    let failed: Vec<String> = Mutant::ALL.iter().filter_map(|mutant| meets_its_fate(*mutant).err()).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

#[test]
fn every_code_is_used_once() {
    for mutant in Mutant::ALL {
        assert_eq!(Mutant::by_code(mutant.code()), Some(*mutant));
    }
}

#[test]
fn every_scope_fits_the_state() {
    Scope::ALL.iter().for_each(|scope| scope.validate().unwrap());
    Mutant::ALL.iter().for_each(|mutant| mutant.scope().validate().unwrap());
}

#[test]
fn the_page_of_the_model_names_every_scope() {
    let page = include_str!("../../../../docs/model.md");
    for scope in Scope::ALL {
        let row = format!("| {} | {} |", scope.name, scope.about);
        assert!(page.contains(&row), "docs/model.md lacks the row {row}");
    }
}

#[test]
fn the_page_of_mutants_tells_the_fate_of_each() {
    let page = include_str!("../../../../docs/mutants.md");
    for mutant in Mutant::ALL {
        let (head, tail) = (format!("| `{}` |", mutant.code()), format!("| {} |", fate_in_words(*mutant)));
        let told = page.lines().any(|line| line.starts_with(&head) && line.ends_with(&tail));
        assert!(told, "docs/mutants.md lacks a row {head} … {tail}");
    }
}

fn fate_in_words(mutant: Mutant) -> String {
    let fate = match mutant.fate() {
        Fate::Survives { .. } => "survives".into(),
        Fate::Killed { breaks, .. } => breaks.iter().map(|one| one.letter()).collect::<Vec<_>>().join(", "),
    };
    format!("{fate} in *{}*", mutant.scope().name)
}
