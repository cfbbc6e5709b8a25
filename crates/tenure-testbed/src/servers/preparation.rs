//! Installs in the background, beside whatever else the caller has to do: one of the servers takes minutes to build.

use std::thread::{JoinHandle, spawn};

use super::up::{Failure, Wanted};
use crate::error::Error;
use crate::{Kind, install};

/// Installations under way. Whoever drops this leaves them to end by themselves.
#[derive(Debug)]
pub struct Preparation(Vec<(Kind, JoinHandle<Result<(), Error>>)>);

impl Preparation {
    /// Begins to install these servers, those that are not there.
    pub fn begin(wanted: &Wanted) -> Self {
        let s3 = wanted.s3.unwrap_or_default();
        let thread = |kind: Kind| (kind, spawn(move || install::install(kind, s3)));
        Self(wanted.ours().map(thread).collect())
    }

    /// Waits for the end; answers those that could not be had.
    pub fn wait(self) -> Vec<Failure> {
        let failed = |(kind, thread): (Kind, JoinHandle<Result<(), Error>>)| {
            let ended =
                thread.join().unwrap_or_else(|_| Err(Error::Refused("a bug: the thread panicked".into())));
            ended.err().map(|error| Failure { kind, error })
        };
        self.0.into_iter().filter_map(failed).collect()
    }
}
