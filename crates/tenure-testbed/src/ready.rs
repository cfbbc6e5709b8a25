//! Waits until a server answers, by asking it: a pause of a fixed length is too short on a loaded machine and too long on any other.

use std::time::{Duration, Instant};

use crate::error::Error;
use crate::process::{Process, end_of};

/// A server that is silent for so long does not start at all; a loaded machine takes a tenth of it.
const LIMIT: Duration = Duration::from_secs(120);
const BETWEEN: Duration = Duration::from_millis(50);

/// Asks until the answer is good; gives up when the process has ended or the limit is over, and shows its log.
pub(crate) async fn ask<T>(
    process: &mut Process,
    question: impl AsyncFn() -> Result<T, String>,
) -> Result<T, Error> {
    let begun = Instant::now();
    loop {
        match question().await {
            Ok(answer) => return Ok(answer),
            Err(_) if !process.is_running() => return Err(ended(process)),
            Err(problem) if begun.elapsed() > LIMIT => return Err(silent(process, problem)),
            Err(_) => tokio::time::sleep(BETWEEN).await,
        }
    }
}

/// Asks until the answer is good; gives up when the limit is over, with what was wrong last.
pub(crate) async fn poll<T>(question: impl AsyncFn() -> Result<T, String>) -> Result<T, String> {
    let begun = Instant::now();
    loop {
        match question().await {
            Ok(answer) => return Ok(answer),
            Err(problem) if begun.elapsed() > LIMIT => return Err(problem),
            Err(_) => tokio::time::sleep(BETWEEN).await,
        }
    }
}

fn ended(process: &Process) -> Error {
    Error::Ended { server: process.name().into(), tail: tail(process) }
}

fn silent(process: &Process, problem: String) -> Error {
    Error::Silent { server: process.name().into(), limit: LIMIT, problem, tail: tail(process) }
}

fn tail(process: &Process) -> String {
    let log = std::fs::read_to_string(process.log());
    log.map_or_else(|error| format!("(unreadable: {error})"), |log| end_of(&log))
}
