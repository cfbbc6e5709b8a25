//! Steps: what runs, how long it took, and how it ended.
//!
//! Every step runs, whatever became of the ones before: one run shows everything that is wrong. A step that could not run
//! here is said to be skipped, with the reason, and counts as neither passed nor failed.

use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How a step ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    Failed(String),
    Skipped(String),
}

impl From<Result<(), String>> for Outcome {
    fn from(result: Result<(), String>) -> Self {
        result.map_or_else(Self::Failed, |()| Self::Passed)
    }
}

/// One step of a run.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    pub(crate) run: Box<dyn Fn() -> Outcome>,
}

impl Step {
    pub(crate) fn new(name: &'static str, what: &'static str, run: impl Fn() -> Outcome + 'static) -> Self {
        Self { name, what, run: Box::new(run) }
    }
}

/// A step that has ended.
struct Ended {
    name: &'static str,
    took: Duration,
    outcome: Outcome,
}

/// Runs all steps, one after the other, and prints what became of them; the counts are the last line.
pub(crate) fn run_all(steps: &[Step]) -> ExitCode {
    let total = steps.len();
    let ended: Vec<Ended> =
        steps.iter().enumerate().map(|(index, step)| run_one(index + 1, total, step)).collect();
    print!("{}", summary(&ended));
    let failed = ended.iter().filter(|step| matches!(step.outcome, Outcome::Failed(_))).count();
    let passed = ended.iter().filter(|step| step.outcome == Outcome::Passed).count();
    println!("{passed} passed, {failed} failed");
    if failed == 0 && passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run_one(number: usize, total: usize, step: &Step) -> Ended {
    println!("\n== [{number}/{total}] {}: {}", step.name, step.what);
    let begun = Instant::now();
    let outcome = (step.run)();
    let took = begun.elapsed();
    println!("== {} {} in {:.1} s", step.name, word(&outcome), took.as_secs_f64());
    Ended { name: step.name, took, outcome }
}

fn summary(ended: &[Ended]) -> String {
    let mut text = String::from("\n  step        result    seconds\n");
    for step in ended {
        text += &format!("  {:<12}{:<8}{:>9.1}", step.name, word(&step.outcome), step.took.as_secs_f64());
        text += &reason(&step.outcome);
        text.push('\n');
    }
    let total: Duration = ended.iter().map(|step| step.took).sum();
    text + &format!("  {:<20}{:>9.1}\n", "all", total.as_secs_f64())
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "passed",
        Outcome::Failed(_) => "FAILED",
        Outcome::Skipped(_) => "skipped",
    }
}

fn reason(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Passed => String::new(),
        Outcome::Failed(why) | Outcome::Skipped(why) => format!("  {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(outcome: Outcome) -> Step {
        Step::new("name", "what", move || outcome.clone())
    }

    #[test]
    fn one_failure_fails_the_run() {
        let failed = step(Outcome::Failed("why".into()));
        assert_eq!(run_all(&[step(Outcome::Passed), failed]), ExitCode::FAILURE);
    }

    #[test]
    fn a_skipped_step_neither_passes_nor_fails() {
        let skipped = || step(Outcome::Skipped("absent".into()));
        assert_eq!(run_all(&[step(Outcome::Passed), skipped()]), ExitCode::SUCCESS);
        assert_eq!(run_all(&[skipped()]), ExitCode::FAILURE);
    }

    #[test]
    fn the_summary_says_why_a_step_was_skipped() {
        let skipped = Outcome::Skipped("cargo-deny is not installed".into());
        let text = summary(&[Ended { name: "deny", took: Duration::ZERO, outcome: skipped }]);
        assert!(text.contains("deny") && text.contains("cargo-deny is not installed"), "{text}");
    }
}
