//! Whether there is a command to run: asked before joining, so that a typo never owns a shard.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::exit::{Exit, Failure};

/// Finds `program` as the system would.
pub(super) fn find(program: &OsStr) -> Result<(), Failure> {
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
    let mode = |status: std::fs::Metadata| status.is_file() && status.permissions().mode() & 0o111 != 0;
    path.metadata().is_ok_and(mode)
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
        assert!(find("no-such-command-anywhere".as_ref()).unwrap_err().story().contains("no such command"));
        assert!(find("/etc/passwd".as_ref()).unwrap_err().story().contains("chmod +x"));
        assert!(find("sh".as_ref()).is_ok());
    }
}
