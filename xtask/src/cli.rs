//! The verbs and their options. The tidy check reads them too: a page may only name a verb that exists.

use clap::{Args, CommandFactory, Parser, Subcommand};
use tenure_testbed::{Kind, S3Program};

/// Everything that a developer runs.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Run every check, or a part of them; changes nothing in the tree
    Test(TestArgs),
    /// Format, and apply what clippy can mend by itself
    Fix,
    /// Write down in docs/api what each crate shows its users; needs a nightly compiler
    Api,
    /// Simulate clusters: many seeds, or one that is replayed
    Sim(SimArgs),
    /// Break each rule on purpose, and see that the simulator notices
    Mutants(MutantArgs),
    /// Spoil what programs read, for as long as is wanted, and see that nothing breaks
    Fuzz(FuzzArgs),
    /// Measure
    Bench(BenchArgs),
    /// Install, start and end the real servers that the tests of stores use
    Servers(ServersArgs),
    /// Take the pictures of the pages anew, from a real run; needs tmux
    Picture,
}

#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    /// Run only these steps; `--list` names them
    #[arg(long, value_name = "STEP", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Leave these steps out
    #[arg(long, value_name = "STEP", value_delimiter = ',')]
    pub(crate) skip: Vec<String>,
    /// How many seeds the step `sim` simulates
    #[arg(long, default_value_t = 10_000)]
    pub(crate) seeds: u64,
    /// How many blows fall in each storm, instead of what is usual there
    #[arg(long)]
    pub(crate) blows: Option<usize>,
    /// Go without this store's server, and so without its tests; may be given again
    #[arg(long, value_name = "NAME")]
    pub(crate) skip_store: Vec<Kind>,
    /// Also the steps that need more than others: a nightly compiler; Java, and what Maven and pip fetch
    #[arg(long)]
    pub(crate) all: bool,
    /// Of the step `guide`, only pages whose path holds this; may be given again
    #[arg(long, value_name = "NAME")]
    pub(crate) page: Vec<String>,
    /// Name the steps and end
    #[arg(long)]
    pub(crate) list: bool,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("replayed").args(["seed", "log"]))]
pub(crate) struct SimArgs {
    /// How many seeds to simulate
    #[arg(long, default_value_t = 10_000, conflicts_with = "seed")]
    pub(crate) seeds: u64,
    /// The first seed
    #[arg(long, conflicts_with = "seed")]
    pub(crate) start: Option<u64>,
    /// How many threads simulate
    #[arg(long, conflicts_with = "seed")]
    pub(crate) jobs: Option<usize>,
    /// Replay this one seed: tell what happens in it
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Replay the event log that a seed left behind when it broke a promise
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seeds", "start", "jobs", "flaw"])]
    pub(crate) log: Option<String>,
    /// Replay step by step: wait for the return key after each line
    #[arg(long, requires = "replayed")]
    pub(crate) step: bool,
    /// Replay up to this virtual time
    #[arg(long, value_name = "SECONDS", requires = "replayed")]
    pub(crate) until: Option<f64>,
    /// Break the rule of this flaw; docs/mutants.md lists the codes
    #[arg(long, value_name = "CODE")]
    pub(crate) flaw: Option<String>,
    /// Run the shipped library with its driver and handlers: slower, and nearer to what users run
    #[arg(long, conflicts_with = "log")]
    pub(crate) library: bool,
    /// Run a member's helpers, which hold its child processes, on a modelled kernel
    #[arg(long, conflicts_with_all = ["log", "library", "step", "until"])]
    pub(crate) supervisor: bool,
    /// Run the journal, on names and on rows
    #[arg(long, conflicts_with_all = ["log", "library", "supervisor"])]
    pub(crate) journal: bool,
}

#[derive(Debug, Args)]
pub(crate) struct MutantArgs {
    /// Passed on to `tenure-sim mutants`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) rest: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct FuzzArgs {
    /// How long all targets together are run
    #[arg(long, default_value_t = 10.0)]
    pub(crate) minutes: f64,
    /// How many targets of a crate are run at once
    #[arg(long, default_value_t = 1)]
    pub(crate) jobs: usize,
    /// The seed; else a fresh one, which is told
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Only the targets of this package; may be given again
    #[arg(long, short, value_name = "PACKAGE")]
    pub(crate) package: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// What to measure: `core`, or `stores` on every server that is up
    pub(crate) suite: String,
    /// Only these benches of the suite
    #[arg(long, value_name = "BENCH", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ServersArgs {
    #[command(subcommand)]
    pub(crate) verb: ServersVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ServersVerb {
    /// Install what is missing and start what does not answer; returns when all answer
    Up(UpArgs),
    /// End them, together with their data
    Down,
    /// Say which are up, and where
    Status {
        /// Only what a store is opened by, a line each
        #[arg(long)]
        urls: bool,
    },
}

#[derive(Debug, Default, Args)]
pub(crate) struct UpArgs {
    /// What is to speak S3: `moto`, or `ceph`, which needs root and more time; else the one that is up, or moto
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) s3: Option<S3Program>,
    /// Go without this server; may be given again
    #[arg(long, value_name = "NAME")]
    pub(crate) skip_store: Vec<Kind>,
}

/// The names of all verbs.
pub(crate) fn verbs() -> Vec<String> {
    Cli::command().get_subcommands().map(|verb| verb.get_name().to_owned()).collect()
}
