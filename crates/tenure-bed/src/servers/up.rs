//! Installs what is not installed, and starts what does not answer; a second call finds everything done.
//!
//! Servers are installed and started side by side. One that can't be had holds up none of the others: it is named at the end,
//! together with what to try.

use std::time::Instant;

use super::{down, record, status};
use crate::Kind;
use crate::error::Error;
use crate::{install, server};
use status::State;

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
pub fn up(kinds: &[Kind]) -> Result<Up, Error> {
    let _lock = record::lock()?;
    let results: Vec<(Kind, Result<bool, Error>)> = std::thread::scope(|scope| {
        let threads: Vec<_> = kinds.iter().map(|kind| (*kind, scope.spawn(|| bring_up(*kind)))).collect();
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
fn bring_up(kind: Kind) -> Result<bool, Error> {
    let runtime = status::runtime()?;
    if runtime.block_on(status::one(kind)).state == State::Up {
        return Ok(false);
    }
    install::install(kind)?;
    down::end(kind);
    let begun = Instant::now();
    let left = runtime.block_on(server::leave(kind))?;
    record::write(kind, &left)?;
    println!("servers: {kind:<10} up in {:.1} s at {}", begun.elapsed().as_secs_f64(), left.address);
    Ok(true)
}
