//! Searches the model of the protocol as far as you like.
//!
//! Without arguments it lists the scopes and the mutants. `--scope NAME` searches one, `--mutant CODE` breaks a rule in it (in the
//! mutant's own scope if none is named), and the numbers widen it: `--lives 3 --epochs 5`.

use std::process::ExitCode;

use clap::Parser;
use tenure_sim::Promise;
use tenure_sim::model::{Mutant, Outcome, Promises, Rules, Scope, Search, Timing, tell};

#[derive(Parser)]
#[command(about = "Searches the model of the protocol exhaustively")]
struct Order {
    /// The scope to search.
    #[arg(long)]
    scope: Option<String>,
    /// The rule to break, by its code.
    #[arg(long)]
    mutant: Option<String>,
    /// Assert this promise alone, by its letter (I1 to I6); may be repeated. Without it: what the scope asks for.
    #[arg(long)]
    assert: Vec<String>,
    /// Lives of each process.
    #[arg(long)]
    lives: Option<u8>,
    /// Lines of each id.
    #[arg(long)]
    lines: Option<u8>,
    /// The highest term.
    #[arg(long)]
    terms: Option<u8>,
    /// The highest epoch.
    #[arg(long)]
    epochs: Option<u8>,
    /// Deletions by an operator.
    #[arg(long)]
    deletions: Option<u8>,
    /// Unknown outcomes.
    #[arg(long)]
    unknown: bool,
    /// A lease that is one tick longer.
    #[arg(long)]
    long: bool,
    /// Give up after this many states.
    #[arg(long, default_value_t = 100_000_000)]
    most: usize,
}

fn main() -> ExitCode {
    let order = Order::parse();
    match order.rules() {
        Ok(Some(rules)) => search(&order, rules),
        Ok(None) => list(),
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}

impl Order {
    fn rules(&self) -> Result<Option<Rules>, String> {
        let mutant = self.mutant.as_deref().map(named_mutant).transpose()?;
        let scope = self.scope.as_deref().map(named_scope).transpose()?;
        let scope = scope.or_else(|| mutant.map(Mutant::scope)).map(|scope| self.widened(scope));
        let rules = scope.map(|scope| Rules { scope, mutant });
        rules.map(|rules| rules.scope.validate().map(|()| rules)).transpose()
    }

    fn widened(&self, scope: Scope) -> Scope {
        Scope {
            lives: self.lives.unwrap_or(scope.lives),
            lines: self.lines.unwrap_or(scope.lines),
            terms: self.terms.unwrap_or(scope.terms),
            epochs: self.epochs.unwrap_or(scope.epochs),
            deletions: self.deletions.unwrap_or(scope.deletions),
            unknown: self.unknown || scope.unknown,
            timing: if self.long { Timing::LONG } else { scope.timing },
            ..scope
        }
    }

    fn promises(&self, scope: &Scope) -> Promises {
        let named = |one: &Promise| self.assert.iter().any(|name| name == one.letter());
        match self.assert.is_empty() {
            true => scope.promises(),
            false => Promises::of(&Promise::OF_CLUSTERS.into_iter().filter(named).collect::<Vec<_>>()),
        }
    }
}

fn named_scope(name: &str) -> Result<Scope, String> {
    let found = Scope::ALL.into_iter().find(|scope| scope.name == name);
    found.ok_or_else(|| format!("there is no scope {name:?}; run without arguments for a list"))
}

fn named_mutant(code: &str) -> Result<Mutant, String> {
    Mutant::by_code(code)
        .ok_or_else(|| format!("there is no mutant {code:?}; run without arguments for a list"))
}

fn list() -> ExitCode {
    println!("scopes:");
    Scope::ALL.iter().for_each(|scope| println!("  {:<12}{}", scope.name, scope.about));
    println!("mutants:");
    Mutant::ALL.iter().for_each(|mutant| println!("  {:<6}{}", mutant.code(), mutant.text()));
    ExitCode::SUCCESS
}

fn search(order: &Order, rules: Rules) -> ExitCode {
    let search =
        Search::new(rules).asserting(order.promises(&rules.scope)).at_most(order.most).reporting(progress);
    let outcome = search.run();
    progress(&outcome);
    match &outcome.violation {
        Some(violation) => {
            println!("{} is broken:\n{}", violation.promise, tell(&rules, &violation.steps))
        }
        None if outcome.complete => println!("every state reached, every promise kept"),
        None => println!("gave up; every promise kept so far"),
    }
    ExitCode::from(u8::from(outcome.violation.is_some()))
}

fn progress(outcome: &Outcome) {
    let speed = outcome.states as f64 / outcome.elapsed.as_secs_f64();
    eprintln!("depth {:>3}: {:>12} states, {:>9.0} a second", outcome.depth, outcome.states, speed);
}
