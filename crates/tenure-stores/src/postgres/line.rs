//! The connection over which all calls go: made anew when it is lost.
//!
//! Only one attempt runs at a time, and those who waited for it share what came of it: a server that swallows everything
//! costs each caller one time limit, not one for every caller before it. All servers of the address are tried in their order;
//! only a primary is taken, and only one that has what we have seen.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tenure::store::{Hint, Version};
use tokio::sync::{Mutex, broadcast};

use super::fault::Trouble;
use super::session::Session;
use super::standing::{Change, Standing};
use super::url::{Options, Server};
use super::version::Position;

/// The way to the primary.
#[derive(Debug)]
pub(super) struct Line {
    options: Arc<Options>,
    state: Mutex<State>,
    /// How many attempts to connect have ended.
    attempts: AtomicU64,
    /// The newest position that a version told us of.
    seen: AtomicU64,
    hints: broadcast::Sender<Hint>,
}

#[derive(Debug, Default)]
struct State {
    session: Option<Arc<Session>>,
    /// Whom we last talked to.
    known: Option<Standing>,
    /// How the last attempt failed.
    failure: Option<Trouble>,
    /// Once writes are known to be lost, this handle is over: what its user knows may never have happened.
    lost: Option<Trouble>,
}

impl Line {
    /// A line that is not connected yet; a fail-over is told to `hints`.
    pub(super) fn new(options: Arc<Options>, hints: broadcast::Sender<Hint>) -> Self {
        Self { options, state: Mutex::default(), attempts: AtomicU64::new(0), seen: AtomicU64::new(0), hints }
    }

    /// The present session, or a new one.
    pub(super) async fn session(&self) -> Result<Arc<Session>, Trouble> {
        let attempts = self.attempts.load(Ordering::Acquire);
        let mut state = self.state.lock().await;
        if let Some(session) = state.session.as_ref().filter(|session| !session.is_closed()) {
            return Ok(Arc::clone(session));
        }
        if let Some(lost) = &state.lost {
            return Err(lost.clone());
        }
        // Somebody tried while we waited; what became of it holds for us too.
        if let Some(failure) =
            state.failure.as_ref().filter(|_| self.attempts.load(Ordering::Acquire) > attempts)
        {
            return Err(failure.clone());
        }
        let made = self.connect(&mut state).await;
        state.failure = made.as_ref().err().cloned();
        state.session = made.as_ref().ok().cloned();
        self.attempts.fetch_add(1, Ordering::Release);
        made
    }

    /// Closes a session that is of no use any more; the next call makes another.
    pub(super) fn retire(session: &Session) {
        session.close();
    }

    /// A version came from the server: whatever server we meet later must have it.
    pub(super) fn saw(&self, version: &Version) {
        if let Some(position) = Position::of(version) {
            self.seen.fetch_max(position.0, Ordering::AcqRel);
        }
    }

    async fn connect(&self, state: &mut State) -> Result<Arc<Session>, Trouble> {
        let mut troubles = Vec::new();
        for server in &self.options.servers {
            match self.try_server(state, server).await {
                Ok(session) => return Ok(Arc::new(session)),
                Err(lost @ Trouble::Lost { .. }) => {
                    tracing::error!(error = %lost, "acknowledged writes are lost");
                    state.lost = Some(lost.clone());
                    return Err(lost);
                }
                Err(trouble) => troubles.push(trouble),
            }
        }
        match troubles.pop() {
            Some(only) if troubles.is_empty() => Err(only),
            Some(last) => Err(Trouble::NoneOf(troubles.into_iter().chain([last]).collect())),
            None => Err(Trouble::NoneOf(troubles)),
        }
    }

    async fn try_server(&self, state: &mut State, server: &Server) -> Result<Session, Trouble> {
        let (session, standing) = Session::connect(&self.options, server, None).await?;
        if let Some(before) = &state.known {
            let seen = Position(self.seen.load(Ordering::Acquire));
            if standing.judge(before, seen, &session.server)? == Change::FailedOver {
                self.tell_fail_over(before, &standing, &session.server);
            }
        }
        state.known = Some(standing);
        Ok(session)
    }

    fn tell_fail_over(&self, before: &Standing, now: &Standing, server: &str) {
        let (from, to) = (before.timeline, now.timeline);
        tracing::warn!(
            server,
            from,
            to,
            "the server failed over; nothing that was seen here is known to be lost"
        );
        let _ = self.hints.send(Hint::anything());
    }
}
