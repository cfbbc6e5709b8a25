//! `supervisor`: many seeds of a member's helpers.

use std::process::ExitCode;

use clap::Args;
use tenure_sim::supervisor::{Flaw, run};

#[derive(Debug, Args)]
pub(crate) struct Supervisor {
    /// How many seeds.
    #[arg(long, default_value_t = 10_000)]
    seeds: u64,
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    start: u64,
    /// A rule to break, by its short name.
    #[arg(long, value_parser = flaw)]
    flaw: Option<Flaw>,
}

fn flaw(code: &str) -> Result<Flaw, String> {
    let named = Flaw::ALL.into_iter().find(|flaw| flaw.code().eq_ignore_ascii_case(code));
    let all = || Flaw::ALL.map(Flaw::code).join(" ");
    named.ok_or_else(|| format!("no rule has this name; there are {}", all()))
}

impl Supervisor {
    pub(crate) fn run(self) -> ExitCode {
        let seeds = self.start..self.start + self.seeds;
        let broken: Vec<_> = seeds.filter_map(|seed| Some((seed, run(seed, self.flaw)?))).collect();
        println!("{} seeds: {} broke a promise", self.seeds, broken.len());
        broken.iter().take(20).for_each(|(seed, breach)| println!("seed {seed}: {breach}"));
        if broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}
