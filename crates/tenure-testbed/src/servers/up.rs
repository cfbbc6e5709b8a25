//! Installs what is not installed, and starts what does not answer; a second call finds everything done.
//!
//! Servers are installed and started side by side. One that can't be had holds up none of the others: it is named at the end,
//! together with what to try.

use std::thread::{JoinHandle, spawn};
use std::time::Instant;

use super::status::State;
use super::{down, given, record, status};
use crate::error::Error;
use crate::{Kind, S3Program, install, server};

/// Which servers are wanted.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// These.
    pub kinds: Vec<Kind>,
    /// The program that is to speak S3; if none is named, the one that is up, or else moto.
    pub s3: Option<S3Program>,
}

impl Wanted {
    /// Those that are not given by the environment.
    pub(super) fn ours(&self) -> impl Iterator<Item = Kind> {
        self.kinds.iter().copied().filter(|kind| given(*kind).is_none())
    }
}

/// What `up` did.
#[derive(Debug, Default)]
pub struct Up {
    /// The servers that this call started, and no earlier one.
    pub started: Vec<Kind>,
    /// Those that could not be had.
    pub failures: Vec<Failure>,
}

/// A server that could not be had.
#[derive(Debug)]
pub struct Failure {
    /// Which one.
    pub kind: Kind,
    /// Why.
    pub error: Error,
}

/// Brings these servers up; returns when all answer or have failed.
pub fn up(wanted: &Wanted) -> Result<Up, Error> {
    let _lock = record::lock()?;
    let results: Vec<(Kind, Result<bool, Error>)> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            wanted.ours().map(|kind| (kind, scope.spawn(move || bring_up(kind, wanted.s3)))).collect();
        let join = |(kind, thread): (Kind, std::thread::ScopedJoinHandle<'_, _>)| {
            (kind, thread.join().unwrap_or_else(|_| Err(Error::Refused("a bug: the thread panicked".into()))))
        };
        threads.into_iter().map(join).collect()
    });
    Ok(sorted(results))
}

fn sorted(results: Vec<(Kind, Result<bool, Error>)>) -> Up {
    let mut up = Up::default();
    for (kind, result) in results {
        match result {
            Ok(true) => up.started.push(kind),
            Ok(false) => {}
            Err(error) => up.failures.push(Failure { kind, error }),
        }
    }
    up
}

/// Answers whether it had to be started.
fn bring_up(kind: Kind, s3: Option<S3Program>) -> Result<bool, Error> {
    let runtime = status::runtime()?;
    if runtime.block_on(status::one(kind)).state == State::Up && is_the_one(kind, s3) {
        return Ok(false);
    }
    let s3 = s3.unwrap_or_default();
    install::install(kind, s3)?;
    down::end(kind);
    let begun = Instant::now();
    let left = runtime.block_on(server::leave(kind, s3))?;
    record::write(kind, &left)?;
    println!("servers: {kind:<10} up in {:.1} s at {}", begun.elapsed().as_secs_f64(), left.address);
    Ok(true)
}

/// Whether what is up is the program that is wanted.
fn is_the_one(kind: Kind, s3: Option<S3Program>) -> bool {
    kind != Kind::S3 || s3.is_none() || record::read(kind).is_some_and(|left| left.s3 == s3)
}

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
