//! `cargo xtask servers`: the real servers that the tests of stores share.

use std::cell::RefCell;

use tenure_testbed::Kind;
use tenure_testbed::servers::{self, Failure, Preparation, Status, Wanted};

use crate::cli::{ServersArgs, ServersVerb};

pub(crate) fn run(order: &ServersArgs) -> Result<(), String> {
    match &order.verb {
        ServersVerb::Up(choice) => up(&Wanted { kinds: all_but(&choice.skip_store), s3: choice.s3 }),
        ServersVerb::Down => down(&Kind::ALL),
        ServersVerb::Status { urls } => status(*urls),
    }
}

/// All servers but these.
fn all_but(skipped: &[Kind]) -> Vec<Kind> {
    Kind::ALL.into_iter().filter(|kind| !skipped.contains(kind)).collect()
}

fn up(wanted: &Wanted) -> Result<(), String> {
    let up = servers::up(wanted).map_err(|error| error.to_string())?;
    explain(&up.failures)
}

/// An error names those that could not be had; why, and what to try, is printed.
fn explain(failures: &[Failure]) -> Result<(), String> {
    for Failure { kind, error } in failures {
        eprintln!("servers: {kind} could not be had: {error}");
        eprintln!(
            "servers: mend that and run `cargo xtask servers up`, or go without: `--skip-store {kind}`"
        );
    }
    let names: Vec<&str> = failures.iter().map(|failure| failure.kind.name()).collect();
    if names.is_empty() { Ok(()) } else { Err(format!("could not be had: {}", names.join(", "))) }
}

fn down(kinds: &[Kind]) -> Result<(), String> {
    let ended = servers::down(kinds).map_err(|error| error.to_string())?;
    let names: Vec<&str> = ended.into_iter().map(Kind::name).collect();
    println!("servers: down: {}", if names.is_empty() { "nothing was up".into() } else { names.join(", ") });
    Ok(())
}

/// The servers of one run of the tests: installed beside its first steps, up from their own step on, and ended with the run
/// where it was the run that started them.
#[derive(Debug)]
pub(crate) struct OfRun {
    wanted: Wanted,
    preparation: RefCell<Option<Preparation>>,
    started: RefCell<Vec<Kind>>,
}

impl OfRun {
    /// All but these; nothing happens yet.
    pub(crate) fn without(skipped: &[Kind]) -> Self {
        let wanted = Wanted { kinds: all_but(skipped), s3: None };
        Self { wanted, preparation: RefCell::default(), started: RefCell::default() }
    }

    /// Begins to install what is missing.
    pub(crate) fn prepare(&self) {
        self.preparation.replace(Some(Preparation::begin(&self.wanted)));
    }

    /// Starts all that could be installed; an error names the others.
    pub(crate) fn up(&self) -> Result<(), String> {
        let mut failures = self.preparation.take().map(Preparation::wait).unwrap_or_default();
        let absent: Vec<Kind> = failures.iter().map(|failure| failure.kind).collect();
        let mut there = self.wanted.clone();
        there.kinds.retain(|kind| !absent.contains(kind));
        let up = servers::up(&there).map_err(|error| error.to_string())?;
        self.started.replace(up.started);
        failures.extend(up.failures);
        explain(&failures)
    }

    /// Ends those that this run started.
    pub(crate) fn end(&self) -> Result<(), String> {
        let started = self.started.take();
        if started.is_empty() { Ok(()) } else { down(&started) }
    }
}

fn status(urls: bool) -> Result<(), String> {
    if urls {
        those_up()?.iter().for_each(|one| println!("{}", one.url));
    } else {
        print!("{}", table(&servers::status().map_err(|error| error.to_string())?));
    }
    Ok(())
}

fn those_up() -> Result<Vec<Status>, String> {
    let all = servers::status().map_err(|error| error.to_string())?;
    Ok(all.into_iter().filter(|one| one.state.serves()).collect())
}

/// The addresses of the stores whose servers are up; none is an error.
pub(crate) fn urls() -> Result<Vec<String>, String> {
    let urls: Vec<String> = those_up()?.into_iter().map(|one| one.url).collect();
    match urls.is_empty() {
        true => Err("no server is up; run `cargo xtask servers up`".into()),
        false => Ok(urls),
    }
}

fn table(all: &[Status]) -> String {
    let mut text = format!("{:<12}{:<13}{:>8}  {:<8}{}\n", "server", "version", "pid", "state", "address");
    for one in all {
        let pid = one.pid.map(|pid| pid.to_string()).unwrap_or_default();
        let line =
            format!("{:<12}{:<13}{pid:>8}  {:<8}{}", one.kind.name(), one.version, one.state, one.address);
        text += line.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use tenure_testbed::servers::State;

    use super::*;

    #[test]
    fn the_table_has_a_line_for_each_server() {
        let one = |kind, state| Status {
            kind,
            state,
            version: "3.5.16".into(),
            pid: Some(71),
            address: "127.0.0.1:1".into(),
            url: String::new(),
        };
        let text = table(&[one(Kind::Etcd, State::Up), one(Kind::Postgres, State::Dead)]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[1], "etcd        3.5.16             71  up      127.0.0.1:1");
    }

    #[test]
    fn a_server_that_is_skipped_is_not_wanted() {
        assert_eq!(all_but(&[Kind::S3, Kind::Kubernetes]), [Kind::Etcd, Kind::Postgres]);
    }
}
