//! `mutants`: which seeded bugs the simulator notices.

use std::process::ExitCode;

use clap::Args;
use tenure_sim::bug::Bug;
use tenure_sim::mutants::{Fate, Hunt};

use super::run::{bug, cores, hush_panics};

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
        let wanted = Bug::all().filter(|bug| self.only.is_empty() || self.only.contains(bug));
        // Every one is hunted, whatever became of those before.
        let good: Vec<bool> = wanted.map(|bug| self.hunt(bug)).collect();
        if good.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }

    /// Says what became of one, and whether that is as it should be.
    fn hunt(&self, bug: Bug) -> bool {
        let hunt = Hunt::new(bug, self.budget, self.jobs);
        println!("| {} | {} | {} |", bug.code(), bug.text(), fate(&hunt.fate));
        hunt.is_good()
    }
}

fn fate(fate: &Fate) -> String {
    match fate {
        Fate::Killed(failure) => {
            format!("killed by {} in seed {}", failure.violation.promise, failure.seed)
        }
        Fate::BrokenAnyway(failure) => {
            format!("**proves nothing**: seed {} breaks a promise without it too", failure.seed)
        }
        Fate::SurvivesByDesign(reason) => format!("survives by design: {reason}"),
        Fate::Survives => "**survives**".into(),
    }
}
