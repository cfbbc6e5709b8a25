//! What happened in one seed, as lines that people read and `replay` steps through.
//!
//! Words cost more than the events they describe, so a run writes none unless it is recorded: a failing seed is run
//! again with the log on, which is the same run, for a seed decides everything.

use serde::Serialize;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::clock::Nanos;

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
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

    /// One number for all lines: equal runs have equal numbers.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.lines().hash(&mut hasher);
        hasher.finish()
    }
}
