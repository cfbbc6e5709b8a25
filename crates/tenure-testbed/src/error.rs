//! What can go wrong around a server, said so that the reader knows what to do next.

use std::io;
use std::time::Duration;

/// Why a server could not be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or a process could not be handled.
    #[error("can't {doing}: {source}")]
    Io {
        /// What was tried, and on what.
        doing: String,
        /// What the system said.
        source: io::Error,
    },
    /// A program that was run to its end failed.
    #[error("{command} {how}\n{output}")]
    Failed {
        /// The program and its arguments.
        command: String,
        /// How it ended.
        how: String,
        /// The end of what it wrote.
        output: String,
    },
    /// A server ended while it was expected to answer.
    #[error("{server} ended before it answered; the end of its log:\n{tail}")]
    Ended {
        /// Which server.
        server: String,
        /// The end of its log.
        tail: String,
    },
    /// A server did not answer in time.
    #[error("{server} did not answer within {limit:?}: {problem}; the end of its log:\n{tail}")]
    Silent {
        /// Which server.
        server: String,
        /// How long it was asked.
        limit: Duration,
        /// What became of the last question.
        problem: String,
        /// The end of its log.
        tail: String,
    },
    /// A server is not installed.
    #[error("{0} is not installed: run `cargo xtask servers up`")]
    Absent(String),
    /// Anything that only a person can mend.
    #[error("{0}")]
    Refused(String),
}

/// Says what was tried when the system refuses it.
pub(crate) trait Doing<T> {
    fn doing(self, what: impl FnOnce() -> String) -> Result<T, Error>;
}

impl<T> Doing<T> for io::Result<T> {
    fn doing(self, what: impl FnOnce() -> String) -> Result<T, Error> {
        self.map_err(|source| Error::Io { doing: what(), source })
    }
}
