//! Writes a history. A line is one write to a file opened for appending: processes that share a file don't mix lines.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::HistoryLine;

/// Appends lines to a history file.
#[derive(Debug)]
pub(crate) struct Writer(Mutex<File>);

impl Writer {
    /// Opens the file at `path`, which is created for its owner alone if it is not there.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
        Ok(Self(Mutex::new(file)))
    }

    /// Appends `line`, whole or not at all as far as the system allows.
    pub(crate) fn append(&self, line: &HistoryLine) -> io::Result<()> {
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write_all(&bytes)
    }
}
