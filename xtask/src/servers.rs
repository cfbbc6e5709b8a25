//! `cargo xtask servers`: the real servers that the tests of stores share.

use tenure_bed::Kind;
use tenure_bed::servers::{self, State, Status, Up};

use crate::cli::{ServersArgs, ServersVerb, UpArgs};

pub(crate) fn run(order: &ServersArgs) -> Result<(), String> {
    match &order.verb {
        ServersVerb::Up(choice) => up(choice).map(drop),
        ServersVerb::Down => down(),
        ServersVerb::Status { urls } => status(*urls),
    }
}

/// Brings up all servers that are not to be skipped; an error names those that could not be had.
pub(crate) fn up(choice: &UpArgs) -> Result<Up, String> {
    let wanted: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| !choice.skip_store.contains(kind)).collect();
    let up = servers::up(&wanted).map_err(|error| error.to_string())?;
    for failure in &up.failures {
        let (kind, error) = (failure.kind, &failure.error);
        eprintln!("servers: {kind} could not be had: {error}");
        eprintln!(
            "servers: mend that and run `cargo xtask servers up`, or go without: `--skip-store {kind}`"
        );
    }
    let names: Vec<&str> = up.failures.iter().map(|failure| failure.kind.name()).collect();
    if names.is_empty() { Ok(up) } else { Err(format!("could not be had: {}", names.join(", "))) }
}

pub(crate) fn down() -> Result<(), String> {
    let ended = servers::down().map_err(|error| error.to_string())?;
    let names: Vec<&str> = ended.into_iter().map(Kind::name).collect();
    println!("servers: down: {}", if names.is_empty() { "nothing was up".into() } else { names.join(", ") });
    Ok(())
}

fn status(urls: bool) -> Result<(), String> {
    let all = servers::status().map_err(|error| error.to_string())?;
    if urls {
        all.iter().filter(|one| one.state == State::Up).for_each(|one| println!("{}", one.url));
    } else {
        print!("{}", table(&all));
    }
    Ok(())
}

fn table(all: &[Status]) -> String {
    let mut text = format!("{:<12}{:<10}{:>8}  {:<8}{}\n", "server", "version", "pid", "state", "address");
    for one in all {
        let pid = one.pid.map(|pid| pid.to_string()).unwrap_or_default();
        let line =
            format!("{:<12}{:<10}{pid:>8}  {:<8}{}", one.kind.name(), one.version, one.state, one.address);
        text += line.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
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
        assert_eq!(lines[1], "etcd        3.5.16          71  up      127.0.0.1:1");
    }
}
