//! Ends a server whose owner was killed and could not end it: a small shell waits for the owner's end of a pipe to close.
//!
//! The kernel closes it whatever the owner died of. The shell is in no group that a test freezes.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::error::{Doing, Error};

const WAIT_THEN_KILL: &str = "read -r _; kill -s KILL -- \"-$1\"; rm -rf -- \"$2\"";

/// Kills the group of a process as soon as we are no more, and deletes its folder.
#[derive(Debug)]
pub(super) struct Guard(Child);

impl Guard {
    pub(super) fn over(leader: u32, folder: &Path) -> Result<Self, Error> {
        let mut command = Command::new("sh");
        command.args(["-c", WAIT_THEN_KILL, "guard", &leader.to_string()]).arg(folder).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().map(Self).doing(|| "start a guard over a server".into())
    }
}

/// Calls the guard off, before the number of the group can mean somebody else.
impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sleeper() -> Child {
        Command::new("sleep").arg("600").process_group(0).spawn().unwrap()
    }

    #[test]
    fn a_server_ends_when_its_owner_is_no_more() {
        let mut server = sleeper();
        let folder = tempfile::tempdir().unwrap();
        let mut guard = Guard::over(server.id(), folder.path()).unwrap();
        // What the kernel does for an owner that was killed.
        drop(guard.0.stdin.take());
        assert!(!server.wait().unwrap().success());
        guard.0.wait().unwrap();
        assert!(!folder.path().exists());
    }

    #[test]
    fn a_guard_that_was_called_off_ends_nothing() {
        let mut server = sleeper();
        let folder = tempfile::tempdir().unwrap();
        drop(Guard::over(server.id(), folder.path()).unwrap());
        assert!(server.try_wait().unwrap().is_none() && folder.path().exists());
        server.kill().unwrap();
        server.wait().unwrap();
    }
}
