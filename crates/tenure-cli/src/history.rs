//! Histories: what members did with their shards, as lines of JSON that outlive them.
//!
//! A member that is run with `--history FILE` writes a line when it begins to act for a shard and one when it has ended.
//! `tenure history` shows such files, `tenure audit` holds them against the promise.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tenure::{Epoch, MemberId, ShardId};

use crate::exit::{Exit, Failure};

/// Reads the files and merges their lines: by boot time on one boot of one machine, by the wall clock otherwise.
pub(crate) fn read(files: &[PathBuf]) -> Result<Vec<HistoryLine>, Failure> {
    let mut lines = Vec::new();
    for path in files {
        read_file(path, &mut lines)?;
    }
    sort(&mut lines);
    Ok(lines)
}

fn sort(lines: &mut [HistoryLine]) {
    let machines: std::collections::BTreeSet<_> = lines.iter().map(|line| &line.boot_id).collect();
    if machines.len() <= 1 {
        lines.sort_by_key(|line| line.boot_us);
    } else {
        lines.sort_by_key(|line| line.wall_ms);
    }
}

fn read_file(path: &Path, lines: &mut Vec<HistoryLine>) -> Result<(), Failure> {
    let unreadable = |error: io::Error| {
        Failure::new(Exit::Usage, format!("can't read the history {}", path.display())).because(error)
    };
    let mut texts = BufReader::new(File::open(path).map_err(unreadable)?).lines().zip(1..).peekable();
    while let Some((text, number)) = texts.next() {
        let text = text.map_err(unreadable)?;
        match serde_json::from_str(&text) {
            Ok(line) => lines.push(line),
            // A process that was killed while it wrote may have left a torn last line: it says nothing, and hides nothing.
            Err(error) if error.is_eof() && texts.peek().is_none() => {}
            Err(error) => return Err(nonsense(path, number, error)),
        }
    }
    Ok(())
}

fn nonsense(path: &Path, number: usize, error: serde_json::Error) -> Failure {
    let message =
        format!("{}:{number} is no line of a history; name files that --history wrote", path.display());
    Failure::new(Exit::Usage, message).because(error)
}

/// What a member did with a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Boundary {
    /// From now on it may act: written before the first effect.
    Act,
    /// Nothing acts any more: written after the last effect.
    End,
}

/// One line: at this time, this life of this member began or ended to act for a shard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct HistoryLine {
    /// Boot time in microseconds: comparable between all processes of one boot of one machine.
    pub(crate) boot_us: u64,
    /// The wall clock in milliseconds since 1970, for people and for comparing machines.
    pub(crate) wall_ms: u64,
    /// Which boot of which machine `boot_us` counts from.
    pub(crate) boot_id: String,
    /// The member.
    pub(crate) member: MemberId,
    /// Which of its lives.
    pub(crate) incarnation: String,
    /// The shard.
    pub(crate) shard: ShardId,
    /// The epoch that it acted at.
    pub(crate) epoch: Epoch,
    /// `act` or `end`.
    pub(crate) deed: Boundary,
    /// Why, in words.
    pub(crate) reason: String,
}

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

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"boot_us":7,"wall_ms":9,"boot_id":"x","member":"a","incarnation":"1.1","shard":3,"epoch":2,"deed":"act","reason":"owned"}"#;

    fn read_text(text: &str) -> Result<Vec<HistoryLine>, Failure> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        read(&[file.path().to_owned()])
    }

    #[test]
    fn a_torn_last_line_is_passed_over() {
        let lines = read_text(&format!("{LINE}\n{}", &LINE[..40])).unwrap();
        assert_eq!(lines.len(), 1);
        assert_eq!((lines[0].shard.0, lines[0].epoch.0), (3, 2));
    }

    #[test]
    fn nonsense_is_named_with_its_line() {
        let story = read_text(&format!("{LINE}\nnonsense\n{LINE}\n")).unwrap_err().story();
        assert!(story.contains(":2 is no line of a history"), "{story}");
        assert!(read_text(&format!("{}\n{LINE}\n", &LINE[..40])).is_err(), "torn, but not the last");
    }

    #[test]
    fn lines_of_one_machine_are_merged_by_boot_time() {
        let later = LINE.replace("\"boot_us\":7", "\"boot_us\":5").replace("\"wall_ms\":9", "\"wall_ms\":99");
        let lines = read_text(&format!("{LINE}\n{later}\n")).unwrap();
        assert_eq!(lines.iter().map(|line| line.boot_us).collect::<Vec<_>>(), [5, 7]);
    }
}
