//! What is asked before joining: whether there is a command to run, so that a typo never owns a shard; and whether the system
//! has room for one per shard, since a limit is easier to raise than to guess at when the ten-thousandth can't be started.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::{env, fs};

use rustix::process::{Resource, getrlimit};

use crate::exit::{Exit, Failure};
use crate::talk;

/// Finds `program` as the system would.
pub(super) fn find_program(program: &OsStr) -> Result<(), Failure> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let places = places(program, &folders);
    if places.iter().any(|path| is_executable(path)) {
        return Ok(());
    }
    let name = program.to_string_lossy();
    Err(match places.iter().find(|path| path.is_file()) {
        Some(path) => Failure::new(
            Exit::Usage,
            format!("can't run {name}: {} is not executable; make it so, with chmod +x", path.display()),
        ),
        None => Failure::new(
            Exit::Usage,
            format!("can't run {name}: there is no such command; check its spelling, or give its path"),
        ),
    })
}

fn places(program: &OsStr, folders: &OsString) -> Vec<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 || path.is_absolute() {
        return vec![path.into()];
    }
    env::split_paths(folders).map(|folder| folder.join(path)).collect()
}

fn is_executable(path: &Path) -> bool {
    let mode = |status: fs::Metadata| status.is_file() && status.permissions().mode() & 0o111 != 0;
    path.metadata().is_ok_and(mode)
}

/// What the member and its helpers need for themselves, and then some.
const OURS: u64 = 100;

/// A child needs so many descriptors of this process: its output and its errors.
const DESCRIPTORS: u64 = 2;

/// Says so if not every shard's command would fit.
pub(super) fn warn_of_limits(shards: u32, raw: bool) {
    let open = if raw { None } else { getrlimit(Resource::Nofile).current };
    let processes = [number("kernel/pid_max"), number("kernel/threads-max")].into_iter().flatten().min();
    for warning in warnings(shards, open, processes) {
        talk::say(&warning);
    }
}

fn number(name: &str) -> Option<u64> {
    fs::read_to_string(format!("/proc/sys/{name}")).ok()?.trim().parse().ok()
}

fn warnings(shards: u32, open: Option<u64>, processes: Option<u64>) -> Vec<String> {
    let commands = u64::from(shards);
    let few = |limit: Option<u64>, each: u64| {
        limit.map(|limit| limit.saturating_sub(OURS) / each).filter(|room| *room < commands)
    };
    let output = few(open, DESCRIPTORS).map(|room| {
        format!(
            "{} open files are allowed, enough for {room} commands of {shards}; raise the hard limit (ulimit -Hn), or use --raw",
            open.unwrap_or_default()
        )
    });
    let numbers = few(processes, 1).map(|room| {
        format!(
            "{} processes are allowed, too few for {shards} commands: about {room} would fit; raise kernel.pid_max and \
             kernel.threads-max",
            processes.unwrap_or_default()
        )
    });
    output.into_iter().chain(numbers).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_looked_for_where_the_system_does() {
        assert_eq!(places("a".as_ref(), &"/x:/y".into()), [PathBuf::from("/x/a"), "/y/a".into()]);
        assert_eq!(places("./a".as_ref(), &"/x".into()), [PathBuf::from("./a")]);
    }

    #[test]
    fn what_is_not_there_or_not_executable_is_said() {
        assert!(
            find_program("no-such-command-anywhere".as_ref())
                .unwrap_err()
                .story()
                .contains("no such command")
        );
        assert!(find_program("/etc/passwd".as_ref()).unwrap_err().story().contains("chmod +x"));
        assert!(find_program("sh".as_ref()).is_ok());
    }

    #[test]
    fn a_system_with_room_is_not_worth_a_word() {
        assert_eq!(warnings(1000, Some(20_000), Some(32_768)), Vec::<String>::new());
        assert_eq!(warnings(1000, None, None), Vec::<String>::new());
    }

    #[test]
    fn too_few_descriptors_and_too_few_processes_are_said_with_what_to_do() {
        let said = warnings(10_000, Some(20_000), Some(8_000));
        assert!(
            said[0].starts_with("20000 open files are allowed, enough for 9950 commands of 10000;"),
            "{said:?}"
        );
        assert!(said[1].starts_with("8000 processes are allowed, too few for 10000 commands"), "{said:?}");
    }
}
