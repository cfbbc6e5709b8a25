//! What is up, and what is not.

use std::fmt;

use tokio::runtime::Runtime;

use super::{given, record};
use crate::Kind;
use crate::error::{Doing, Error};
use crate::process::alive;
use crate::server::{self, Left};

/// How a server is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It runs and answers.
    Up,
    /// It is not ours: the environment gives it, and nobody looks after it here.
    Given,
    /// It runs, but does not answer.
    Silent,
    /// It was started, and has ended.
    Dead,
    /// It was not started.
    Down,
}

impl fmt::Display for State {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self {
            Self::Up => "up",
            Self::Given => "given",
            Self::Silent => "silent",
            Self::Dead => "dead",
            Self::Down => "down",
        };
        out.pad(word)
    }
}

impl State {
    /// Whether tests can use it.
    pub fn serves(self) -> bool {
        match self {
            Self::Up | Self::Given => true,
            Self::Silent | Self::Dead | Self::Down => false,
        }
    }
}

/// One line of the table.
#[derive(Clone, Debug)]
pub struct Status {
    /// Which server.
    pub kind: Kind,
    /// How it is.
    pub state: State,
    /// What it calls itself; empty when it is down.
    pub version: String,
    /// The number of its process, or of the first of them.
    pub pid: Option<i32>,
    /// Where it listens, or the variable that gives it; empty when it is down.
    pub address: String,
    /// What a store is opened by; empty when it is down.
    pub url: String,
}

/// How all servers are.
pub fn status() -> Result<Vec<Status>, Error> {
    let runtime = runtime()?;
    Ok(Kind::ALL.into_iter().map(|kind| runtime.block_on(one(kind))).collect())
}

/// What runs our questions, for callers that have no runtime of their own.
pub(super) fn runtime() -> Result<Runtime, Error> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().doing(|| "start a runtime".into())
}

pub(super) async fn one(kind: Kind) -> Status {
    if let Some(url) = given(kind) {
        // The variable and not its value, which may hold a password.
        let address = kind.variable().into();
        return Status { kind, state: State::Given, version: String::new(), pid: None, address, url };
    }
    let known = record::read(kind);
    let state = match &known {
        None => State::Down,
        Some(left) => judge(kind, left).await,
    };
    let pid = known.as_ref().and_then(|left| left.processes.first()).map(|process| process.pid);
    let (version, address, url) =
        known.map(|left| (left.version, left.address, left.url)).unwrap_or_default();
    Status { kind, state, version, pid, address, url }
}

async fn judge(kind: Kind, left: &Left) -> State {
    if !left.processes.iter().copied().all(alive) {
        return State::Dead;
    }
    if server::answers(kind, left).await { State::Up } else { State::Silent }
}
