//! PostgreSQL 15: the system's package, where it is not there yet. Only its programs are used.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::progress::Progress;
use super::{apt, path};
use crate::error::Error;
use crate::process::run;

const PROGRAMS: &str = "/usr/lib/postgresql/15/bin";
const PACKAGE: &str = "postgresql-15";
/// A pool of connections; also the name of its package. Stores are tested behind it where it can be had.
const POOLER: &str = "pgbouncer";

/// Where its programs are.
#[derive(Clone, Debug)]
pub(crate) struct Programs {
    pub(crate) postgres: PathBuf,
    pub(crate) initdb: PathBuf,
    pub(crate) psql: PathBuf,
}

impl Programs {
    /// The installed ones.
    pub(crate) fn find() -> Result<Self, Error> {
        let folder = Path::new(PROGRAMS);
        let [postgres, initdb, psql] = ["postgres", "initdb", "psql"].map(|name| folder.join(name));
        let whole = [&postgres, &initdb, &psql].iter().all(|program| program.is_file());
        if whole { Ok(Self { postgres, initdb, psql }) } else { Err(Error::Absent("PostgreSQL 15".into())) }
    }

    /// What it calls itself.
    pub(crate) fn version(&self) -> Result<String, Error> {
        let mut command = Command::new(&self.postgres);
        command.arg("--version");
        let said = run(command)?;
        Ok(said.split_whitespace().nth(2).unwrap_or("unknown").to_owned())
    }
}

/// pgbouncer, where it is installed.
pub(crate) fn pooler() -> Option<PathBuf> {
    path::find(POOLER).or_else(|| Some(PathBuf::from("/usr/sbin").join(POOLER)).filter(|path| path.is_file()))
}

pub(super) fn install(progress: &Progress) -> Result<(), Error> {
    if Programs::find().is_err() {
        apt::install(&[PACKAGE], progress)?;
    }
    if pooler().is_none()
        && let Err(error) = apt::install(&[POOLER], progress)
    {
        progress.say(&format!("without {POOLER}, so its tests are skipped: {error}"));
    }
    Programs::find().map(drop)
}
