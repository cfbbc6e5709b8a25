//! `mutants`: which seeded bugs the simulator notices.

use std::process::ExitCode;

use clap::Args;
use tenure_sim::mutants::{Fate, Hunt};
use tenure_sim::seed::Bug;

use super::bar::{cores, hush_panics};
use super::run::bug;

#[derive(Debug, Args)]
pub(crate) struct Mutants {
    /// How many seeds to try for each.
    #[arg(long, default_value_t = 100_000)]
    budget: u64,
    /// How many threads; all cores if nothing is said.
    #[arg(long, default_value_t = cores())]
    jobs: usize,
    /// Only these, by their short names.
    #[arg(long, value_parser = bug)]
    only: Vec<Bug>,
}

impl Mutants {
    pub(crate) fn run(self) -> ExitCode {
        hush_panics();
        println!("| bug | what it does | fate |\n|---|---|---|");
        let mut good = true;
        for bug in Bug::all().filter(|bug| self.only.is_empty() || self.only.contains(bug)) {
            let hunt = Hunt::new(bug, self.budget, self.jobs);
            println!("| {} | {} | {} |", bug.code(), bug.text(), fate(&hunt.fate));
            good &= hunt.is_good();
        }
        if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

fn fate(fate: &Fate) -> String {
    match fate {
        Fate::Killed(failure) => {
            format!("killed by {} in seed {}", failure.violation.invariant, failure.seed)
        }
        Fate::BrokenAnyway(failure) => {
            format!("**proves nothing**: seed {} breaks a promise without it too", failure.seed)
        }
        Fate::SurvivesByDesign(reason) => format!("survives by design: {reason}"),
        Fate::Survives => "**survives**".into(),
    }
}
