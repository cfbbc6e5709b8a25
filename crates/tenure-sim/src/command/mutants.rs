//! `mutants`: which seeded bugs the simulator notices.

use std::process::ExitCode;

use clap::Args;
use tenure_sim::mutants::{Fate, Hunt};
use tenure_sim::seed::Bug;
use tenure_sim::supervisor_sim::{Flaw, notices};

use super::bar::{cores, hush_panics};
use super::run::bug;
use super::supervisor::flaw;

#[derive(Debug, Args)]
pub(crate) struct Mutants {
    /// How many seeds to try for each.
    #[arg(long, default_value_t = 100_000)]
    budget: u64,
    /// How many threads; all cores if nothing is said.
    #[arg(long, default_value_t = cores())]
    jobs: usize,
    /// Only these, by their short names.
    #[arg(long, value_parser = named)]
    only: Vec<Named>,
}

/// A rule that is broken: of a cluster, or of a member's helpers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Cluster(Bug),
    Helpers(Flaw),
}

fn named(code: &str) -> Result<Named, String> {
    let cluster = bug(code).map(Named::Cluster);
    cluster.or_else(|unknown| flaw(code).map(Named::Helpers).map_err(|others| format!("{unknown}; {others}")))
}

impl Mutants {
    pub(crate) fn run(self) -> ExitCode {
        hush_panics();
        println!("| bug | what it does | fate |\n|---|---|---|");
        let all = Bug::all().map(Named::Cluster).chain(Flaw::ALL.map(Named::Helpers));
        let wanted = all.filter(|named| self.only.is_empty() || self.only.contains(named));
        // Every one is hunted, whatever became of those before.
        let good: Vec<bool> = wanted.map(|named| self.hunt(named)).collect();
        if good.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }

    /// Says what became of one, and whether that is as it should be.
    fn hunt(&self, named: Named) -> bool {
        match named {
            Named::Cluster(bug) => {
                let hunt = Hunt::new(bug, self.budget, self.jobs);
                println!("| {} | {} | {} |", bug.code(), bug.text(), fate(&hunt.fate));
                hunt.is_good()
            }
            Named::Helpers(flaw) => {
                let found = notices(flaw, self.budget);
                let fate = found.as_ref().map_or_else(
                    || "**survives**".into(),
                    |(seed, breach)| format!("killed by {} in seed {seed}", breach.promise.code()),
                );
                println!("| {} | {} | {fate} |", flaw.code(), flaw.text());
                found.is_some()
            }
        }
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
