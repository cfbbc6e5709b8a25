//! The audit log: who did what and why, a line of JSON for each, appended before it is done and again when it is over.
//!
//! What can't be written down is not done.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use crate::json::json;
use crate::view::Deed;

/// Why there is no log.
#[derive(Debug, thiserror::Error)]
#[error("the audit log {} can't be written", path.display())]
pub struct AuditError {
    path: PathBuf,
    source: std::io::Error,
}

/// How far a deed is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stage {
    /// It is about to be done.
    Asked,
    /// It was done.
    Done,
    /// It was not done.
    Refused,
}

/// What is at stake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stakes {
    /// Somebody's work: programs let this through their logs whatever is asked for.
    Real,
    /// A playground: the player sees it all on the screen, which no line of a log should disturb.
    Play,
}

#[derive(Serialize)]
struct AuditLine<'a> {
    stage: Stage,
    #[serde(flatten)]
    deed: &'a Deed,
}

/// Where deeds are written down: the program's own log, and a file if there is one.
#[derive(Debug, Default)]
pub struct AuditLog {
    file: Option<(PathBuf, Mutex<File>)>,
}

impl AuditLog {
    /// Appends to this file, which is created for its owner alone if it is not there.
    ///
    /// # Errors
    /// [`AuditError`].
    pub fn open(path: &Path) -> Result<Self, AuditError> {
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path);
        let file = file.map_err(|source| AuditError { path: path.to_owned(), source })?;
        Ok(Self { file: Some((path.to_owned(), Mutex::new(file))) })
    }

    /// Writes a deed down.
    pub(crate) fn write(&self, stage: Stage, deed: &Deed, stakes: Stakes) -> Result<(), AuditError> {
        let (line, who) = (json(&AuditLine { stage, deed }), &deed.who);
        match stakes {
            Stakes::Real => {
                tracing::info!(target: "tenure::audit", %who, ?stage, deed = %line, "an operator acts")
            }
            Stakes::Play => tracing::info!(%who, ?stage, deed = %line, "somebody plays"),
        }
        let Some((path, file)) = &self.file else { return Ok(()) };
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        // One write, so that lines of two programs do not mix.
        let written = file.write_all(format!("{line}\n").as_bytes());
        written.map_err(|source| AuditError { path: path.clone(), source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::DeedKind;

    #[test]
    fn a_deed_is_one_line_whatever_was_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        let log = AuditLog::open(&path).unwrap();
        let what = DeedKind::Drain { member: "ben".into() };
        let why = "line\nend \"quoted\" <b>".to_owned();
        let (id, who, by) = ("1".into(), "eve".into(), "dashboard".into());
        let deed = Deed { id, at_ms: 7, who, by, what, why, refused: None };
        log.write(Stage::Asked, &deed, Stakes::Real).unwrap();
        log.write(Stage::Done, &deed, Stakes::Play).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::mode(&path.metadata().unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600);
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 2);
        assert_eq!((&lines[0]["stage"], &lines[1]["stage"]), (&"asked".into(), &"done".into()));
        assert_eq!((&lines[0]["deed"], &lines[0]["member"]), (&"drain".into(), &"ben".into()));
        assert_eq!(lines[1]["why"], "line\nend \"quoted\" <b>");
    }
}
