//! Another user of this machine, who means no good. Needs root, to become somebody else.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Nobody's number on most systems; any that is not ours will do.
pub(crate) const STRANGER: u32 = 65_534;

/// Whether this process can start others as another user. If not, says so.
pub(crate) fn can_be_a_stranger() -> bool {
    let can = rustix::process::geteuid().is_root();
    if !can {
        eprintln!("skipped: only root can start a process of another user");
    }
    can
}

/// A folder such as `/tmp`: everybody can write in it, and remove only what is his.
pub(crate) fn common_folder() -> tempfile::TempDir {
    let folder = crate::fleet::processes::folder();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o1777)).unwrap();
    folder
}

fn shell(folder: &Path, script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]).current_dir(folder).uid(STRANGER).gid(STRANGER);
    command
}

/// Does something in the folder as another user; whether it could be done.
pub(crate) fn does(folder: &Path, script: &str) -> bool {
    shell(folder, script).stderr(Stdio::null()).status().unwrap().success()
}

/// Something that another user does until it is dropped.
pub(crate) struct Nuisance(Child);

impl Nuisance {
    /// Begins, and waits until the script says something.
    pub(crate) fn begin(folder: &Path, script: &str) -> Self {
        let mut command = shell(folder, script);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut String::new()).unwrap();
        Self(child)
    }
}

impl Drop for Nuisance {
    fn drop(&mut self) {
        // What it started ends with its standard input.
        drop(self.0.stdin.take());
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
