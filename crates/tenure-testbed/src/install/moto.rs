//! moto 5.2.5: an S3 in Python, from the package index that the machine is set up for.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::once::{find, once};
use super::progress::Progress;
use super::python;
use crate::error::Error;
use crate::process::run;

const FOLDER: &str = "moto-5.2.5";
const PACKAGE: &str = "moto[server]==5.2.5";
const SAY_VERSION: &str = "import moto.moto_server.werkzeug_app; print(moto.__version__)";

/// Where its programs are.
#[derive(Clone, Debug)]
pub(crate) struct Programs {
    /// The interpreter that knows moto.
    pub(crate) python: PathBuf,
}

impl Programs {
    /// The installed ones.
    pub(crate) fn find() -> Result<Self, Error> {
        find(FOLDER).map(|folder| Self::under(&folder)).ok_or_else(|| Error::Absent("moto".into()))
    }

    fn under(folder: &Path) -> Self {
        Self { python: folder.join("bin/python") }
    }

    /// What it calls itself, which also shows that it runs here.
    pub(crate) fn version(&self) -> Result<String, Error> {
        let mut command = Command::new(&self.python);
        command.args(["-c", SAY_VERSION]);
        Ok(run(command)?.trim().to_owned())
    }
}

pub(super) fn install(progress: &Progress) -> Result<(), Error> {
    let make = |folder: &Path| {
        python::environment(folder, &[PACKAGE], progress)?;
        Programs::under(folder).version().map(drop)
    };
    once(FOLDER, progress, make).map(drop)
}
