//! What to start, and how: enough to start the same server again after it was killed.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::Signal;

use super::user::User;
use crate::error::{Doing, Error};

/// How long a process may live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    /// Until its owner drops it, or ends in any other way.
    Owned,
    /// Longer than its owner, once that has let it go.
    Detached,
}

/// What to start.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) name: String,
    pub(crate) life: Life,
    /// What a process is asked to end by before it is killed; none when there is nothing to tidy up.
    pub(crate) farewell: Option<Signal>,
    program: PathBuf,
    args: Vec<OsString>,
    folder: PathBuf,
    user: Option<User>,
}

impl Order {
    /// Starts `program` in `folder`, where its log goes too, as `<name>.log`.
    pub(crate) fn new(name: &str, life: Life, program: &Path, folder: &Path) -> Self {
        Self {
            name: name.into(),
            life,
            farewell: None,
            program: program.into(),
            args: Vec::new(),
            folder: folder.into(),
            user: None,
        }
    }

    pub(crate) fn args<A: Into<OsString>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    pub(crate) fn user(self, user: Option<User>) -> Self {
        Self { user, ..self }
    }

    pub(crate) fn farewell(self, signal: Signal) -> Self {
        Self { farewell: Some(signal), ..self }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.folder.join(format!("{}.log", self.name))
    }

    /// The process will lead a group of its own; a detached one also a session of its own, so that no terminal ends it.
    pub(super) fn command(&self) -> Result<Command, Error> {
        let mut command = match self.life {
            Life::Owned => grouped(&self.program),
            Life::Detached => in_session(&self.program),
        };
        let log = self.open_log()?;
        let also = log.try_clone().doing(|| format!("share {}", self.log().display()))?;
        command.args(&self.args).current_dir(&self.folder).stdin(Stdio::null()).stdout(log).stderr(also);
        if let Some(user) = self.user {
            command.uid(user.uid).gid(user.gid);
        }
        Ok(command)
    }

    fn open_log(&self) -> Result<File, Error> {
        let path = self.log();
        OpenOptions::new().create(true).append(true).open(&path).doing(|| format!("write {}", path.display()))
    }
}

fn grouped(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.process_group(0);
    command
}

/// `setsid` becomes the program, with the same number: it forks only where it leads a group already.
fn in_session(program: &Path) -> Command {
    let mut command = Command::new("setsid");
    command.arg(program);
    command
}
