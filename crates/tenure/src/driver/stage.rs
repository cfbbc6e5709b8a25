//! How far a member is, for those who wait for it.

use std::sync::Arc;
use tenure_core::member::Snapshot;

use tenure_core::message::Ending;

use crate::error::{Error, ErrorKind};

/// How far a member is.
#[derive(Clone, Debug)]
pub(crate) enum Stage {
    /// The cluster was not found yet.
    Starting,
    /// It can't be started, or can't go on, and never will as things are.
    Hopeless { kind: ErrorKind, problem: String },
    /// The cluster was found; the member joins as soon as it may.
    Running,
    /// It is over.
    Over(Arc<Last>),
}

/// What is left of a member.
#[derive(Debug)]
pub(crate) struct Last {
    pub(crate) ending: Ending,
    pub(crate) snapshot: Snapshot,
}

impl Stage {
    /// Whether `start` has its answer.
    pub(crate) fn has_started(&self) -> bool {
        !matches!(self, Self::Starting)
    }

    pub(crate) fn is_over(&self) -> bool {
        matches!(self, Self::Over(_) | Self::Hopeless { .. })
    }

    /// How it ended, for those who waited for that.
    pub(crate) fn verdict(&self) -> Result<(), Error> {
        match self {
            Self::Starting | Self::Running => Ok(()),
            Self::Hopeless { kind, problem } => Err(Error::new(*kind, problem.clone())),
            Self::Over(last) => match &last.ending {
                Ending::Left => Ok(()),
                Ending::Mismatch { setting, problem } => {
                    Err(Error::new(ErrorKind::Invalid, format!("setting {setting} {problem}")))
                }
            },
        }
    }
}
