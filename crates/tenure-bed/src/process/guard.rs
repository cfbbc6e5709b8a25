//! Ends a server whose owner was killed and could not end it: a small shell waits for the owner's end of a pipe to close.
//!
//! The kernel closes it whatever the owner died of. The shell is in no group that a test freezes.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use crate::error::{Doing, Error};

const WAIT_THEN_KILL: &str = "read -r _; kill -9 -- \"-$1\"";

/// Kills the group of a process as soon as we are no more.
#[derive(Debug)]
pub(super) struct Guard(Child);

impl Guard {
    pub(super) fn over(leader: u32) -> Result<Self, Error> {
        let mut command = Command::new("sh");
        command.args(["-c", WAIT_THEN_KILL, "guard", &leader.to_string()]).process_group(0);
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
