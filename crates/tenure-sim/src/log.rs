//! What happened in one seed, as lines that people read and `replay` steps through.
//!
//! Words cost more than the events they describe, so a run writes none unless it is recorded: a failing seed is run
//! again with the log on, which is the same run, for a seed decides everything.

use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;

use crate::clock::Nanos;

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Line {
    /// True time, in microseconds.
    pub at_us: u64,
    /// Who: a process such as `b/2` (the second process of member b), `store`, `fault` or `judge`.
    pub who: String,
    /// What happened, in words.
    pub what: String,
}

/// The lines of one run, if anybody wants them.
#[derive(Debug, Default)]
pub struct Log {
    lines: Option<Vec<Line>>,
}

impl Log {
    /// A log that keeps nothing.
    pub fn off() -> Self {
        Self::default()
    }

    /// A log that keeps every line.
    pub fn recording() -> Self {
        Self { lines: Some(Vec::new()) }
    }

    /// Keeps a line, if lines are kept; the words are made only then.
    pub fn note(&mut self, at: Nanos, who: impl FnOnce() -> String, what: impl FnOnce() -> String) {
        if let Some(lines) = &mut self.lines {
            lines.push(Line { at_us: at / 1_000, who: who(), what: what() });
        }
    }

    /// Everything kept so far.
    pub fn lines(&self) -> &[Line] {
        self.lines.as_deref().unwrap_or_default()
    }

    /// Writes every line to a file, in JSON.
    ///
    /// # Errors
    /// The file, or its folder, can't be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        let mut file = BufWriter::new(File::create(path)?);
        for line in self.lines() {
            serde_json::to_writer(&mut file, line)?;
            file.write_all(b"\n")?;
        }
        file.flush()
    }

    /// The lines of a file that [`Log::write`] wrote.
    ///
    /// # Errors
    /// The file can't be read, or holds something else.
    pub fn read(path: &Path) -> io::Result<Vec<Line>> {
        let lines = BufReader::new(File::open(path)?).lines();
        lines.map(|line| Ok(serde_json::from_str(&line?)?)).collect()
    }

    /// One number for all lines: equal runs have equal numbers.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.lines().hash(&mut hasher);
        hasher.finish()
    }
}
