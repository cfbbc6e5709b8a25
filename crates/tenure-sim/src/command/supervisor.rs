//! `supervisor`: many seeds of a member's helpers.

use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use tenure_sim::supervisor_sim::{Breach, Flaw, run_all};

use super::bar::{bar, cores};

#[derive(Debug, Args)]
pub(crate) struct Supervisor {
    /// How many seeds.
    #[arg(long, default_value_t = 10_000)]
    seeds: u64,
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    start: u64,
    /// How many threads; all cores if nothing is said.
    #[arg(long, default_value_t = cores())]
    jobs: usize,
    /// A rule to break, by its short name.
    #[arg(long, value_parser = flaw)]
    flaw: Option<Flaw>,
}

/// Reads the short name of a rule of the helpers.
pub(super) fn flaw(code: &str) -> Result<Flaw, String> {
    let all = || Flaw::ALL.map(Flaw::code).join(" ");
    Flaw::by_code(code).ok_or_else(|| format!("no rule has this name; there are {}", all()))
}

impl Supervisor {
    pub(crate) fn run(self) -> ExitCode {
        let (bar, began) = (bar(self.seeds), Instant::now());
        let broken = run_all(self.start..self.start + self.seeds, self.jobs, self.flaw, || bar.inc(1));
        bar.finish_and_clear();
        let took = began.elapsed().as_secs_f64();
        let (seeds, rate) = (self.seeds, self.seeds as f64 / took);
        println!("{seeds} seeds in {took:.1} s ({rate:.0} per second): {} broke a promise", broken.len());
        broken.iter().take(20).for_each(|(seed, breach)| println!("{}", self.line(*seed, breach)));
        if broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    /// A command that runs the seed again; a shell takes the rest for a remark.
    fn line(&self, seed: u64, breach: &Breach) -> String {
        let flag = self.flaw.map_or(String::new(), |flaw| format!(" --flaw {}", flaw.code()));
        format!("cargo xtask sim --supervisor --seed {seed}{flag}   # {breach}")
    }
}
