//! PostgreSQL 15: the system's package, where it is not there yet. Only its programs are used.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::apt;
use super::progress::Progress;
use crate::error::Error;
use crate::process::run;

const PROGRAMS: &str = "/usr/lib/postgresql/15/bin";
const PACKAGE: &str = "postgresql-15";

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

pub(super) fn install(progress: &Progress) -> Result<(), Error> {
    if Programs::find().is_ok() {
        return Ok(());
    }
    apt::install(&[PACKAGE], progress)?;
    Programs::find().map(drop)
}
