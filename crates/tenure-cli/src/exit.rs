//! What the program's exit code says, and how it tells a failure.
//!
//! Scripts ask for codes, people read messages; both come from one place. A message says what was tried, on what, and what
//! to do; its causes follow, each on its own line.

use std::error::Error as StdError;
use std::io::ErrorKind as IoErrorKind;
use std::process::ExitCode;

use tenure::cluster::SteerError;
use tenure::store::{StoreError, StoreErrorKind};
use tenure::{BoxError, ErrorKind};

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It was done.
    Done = 0,
    /// It was found out, and the answer is no: a history is refuted, a store may not be used.
    No = 1,
    /// The command line or a setting is wrong, or differs from the cluster's.
    Usage = 2,
    /// The store can't be reached, or refuses.
    Store = 3,
    /// The cluster is not there, or can't be understood by this build.
    Cluster = 4,
    /// The cluster is in a state in which this can't be done.
    Refused = 5,
    /// It was begun, and did not come to its end.
    Unfinished = 6,
    /// There was nothing to judge.
    Nothing = 7,
    /// A bug in this program.
    Bug = 70,
}

impl Exit {
    /// For `--help` and the manual.
    pub(crate) const TABLE: &'static str = "\
Exit codes:
   0  done
   1  the answer is no: a history is refuted, a store may not be used
   2  the command line or a setting is wrong, or differs from the cluster's
   3  the store can't be reached, or refuses
   4  the cluster is not there, or can't be understood by this build
   5  the cluster is in a state in which this can't be done
   6  begun, but not finished in time
   7  nothing to judge: a history without a tenure proves nothing
  70  a bug in this program

Standard output is data, standard error is talk. NO_COLOR switches colours off.";
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command did not do what it was asked to.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    message: String,
    source: Option<BoxError>,
    hushed: bool,
}

impl Failure {
    /// A failure that ends with `exit`. The message says what to do.
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), source: None, hushed: false }
    }

    /// The same failure, with its cause.
    #[must_use]
    pub(crate) fn because(mut self, source: impl Into<BoxError>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The same failure, with one thing more that can be done.
    #[must_use]
    pub(crate) fn with_advice(mut self, advice: &str) -> Self {
        self.message.push_str("; ");
        self.message.push_str(advice);
        self
    }

    /// Standard output could not be written. A reader that closed it has read enough: that is no failure.
    pub(crate) fn output(error: std::io::Error) -> Self {
        let closed = error.kind() == IoErrorKind::BrokenPipe;
        let exit = if closed { Exit::Done } else { Exit::Store };
        Self { hushed: closed, ..Self::new(exit, "can't write to standard output").because(error) }
    }

    /// The failure and its causes, for people.
    pub(crate) fn story(&self) -> String {
        let mut story = self.message.clone();
        let mut cause = self.source.as_deref().map(|source| source as &dyn StdError);
        while let Some(error) = cause {
            story.push_str(&format!("\n  because: {error}"));
            cause = error.source();
        }
        story
    }

    /// Tells the failure on standard error.
    pub(crate) fn tell(&self) -> ExitCode {
        if !self.hushed {
            crate::talk::error(&self.story());
        }
        self.exit.into()
    }
}

impl From<tenure::Error> for Failure {
    fn from(error: tenure::Error) -> Self {
        let exit = match error.kind() {
            ErrorKind::Invalid => Exit::Usage,
            ErrorKind::Unavailable | ErrorKind::Indeterminate | ErrorKind::Busy | ErrorKind::Denied => {
                Exit::Store
            }
            ErrorKind::Incompatible => Exit::Cluster,
            ErrorKind::Lapsed => Exit::Refused,
            _ => Exit::Bug,
        };
        let message = error.to_string();
        Self { source: cause_of(error), ..Self::new(exit, message) }
    }
}

impl From<SteerError> for Failure {
    fn from(error: SteerError) -> Self {
        match error {
            SteerError::Refused(refusal) => Self::new(Exit::Refused, refusal.to_string()),
            SteerError::Failed(error) => error.into(),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let exit = match error.kind {
            // An address that makes no sense is a mistake of its writer; a place that is not there is the store's.
            StoreErrorKind::Invalid if error.source.is_none() => Exit::Usage,
            StoreErrorKind::Incompatible => Exit::Cluster,
            _ => Exit::Store,
        };
        let message = error.to_string();
        Self { source: error.source, ..Self::new(exit, message) }
    }
}

/// The causes of an error whose message is told already.
fn cause_of(error: tenure::Error) -> Option<BoxError> {
    let mut causes = Vec::new();
    let mut cause = StdError::source(&error);
    while let Some(next) = cause {
        causes.push(next.to_string());
        cause = next.source();
    }
    (!causes.is_empty()).then(|| causes.join("\n  because: ").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_is_told_once_and_on_its_own_line() {
        let cause = tenure::Error::new(ErrorKind::Unavailable, "the disk is full").because("os error 28");
        let failure = Failure::new(Exit::Store, "can't drain a").because(cause);
        assert_eq!(failure.story(), "can't drain a\n  because: the disk is full\n  because: os error 28");
    }

    #[test]
    fn the_table_names_every_code() {
        use Exit::{Bug, Cluster, Done, No, Nothing, Refused, Store, Unfinished, Usage};
        for exit in [Done, No, Usage, Store, Cluster, Refused, Unfinished, Nothing, Bug] {
            assert!(Exit::TABLE.contains(&format!("\n  {:>2}  ", exit as u8)), "{exit:?}");
        }
    }

    #[test]
    fn a_reader_that_has_enough_is_no_failure() {
        let failure = Failure::output(IoErrorKind::BrokenPipe.into());
        assert_eq!((failure.exit, failure.hushed), (Exit::Done, true));
    }
}
