//! The connection over which all calls go: made anew when it is lost.
//!
//! Only one attempt runs at a time, and those who waited for it share what came of it: a server that swallows everything
//! costs each caller one time limit, not one for every caller before it. Only a primary is
//! taken, and only one that has what we have seen.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tenure::store::{Hint, Version};
use tokio::sync::{Mutex, broadcast};

use super::error::Trouble;
use super::search::{self, Found};
use super::session::Session;
use super::standing::Standing;
use super::url::Options;
use super::version::Position;

/// The way to the primary.
#[derive(Debug)]
pub(super) struct PrimaryConnection {
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

impl PrimaryConnection {
    /// A line that is not connected yet; what is told over its connections goes to `hints`.
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

    /// A version was read over `session`: whatever server of this cluster we meet later must have it.
    pub(super) fn saw(&self, version: &Version, session: &Session) {
        if let Some(position) = Position::of(version, &session.system) {
            self.saw_past(position);
        }
    }

    /// Something was written after `position`: whatever server we meet later must have it.
    pub(super) fn saw_past(&self, position: Position) {
        self.seen.fetch_max(position.0, Ordering::AcqRel);
    }

    async fn connect(&self, state: &mut State) -> Result<Arc<Session>, Trouble> {
        let known = state.known.take();
        let found =
            search::primary(&self.options, &self.hints, |found| self.judge(known.as_ref(), found)).await;
        match found {
            Ok((session, standing)) => {
                if let Some(before) = known.filter(|before| before.timeline < standing.timeline) {
                    warn_of_fail_over(&before, &standing, &session.server);
                }
                state.known = Some(standing);
                Ok(Arc::new(session))
            }
            Err(trouble) => {
                state.known = known;
                if matches!(trouble, Trouble::Lost { .. }) {
                    tracing::error!(error = %trouble, "acknowledged writes are lost");
                    state.lost = Some(trouble.clone());
                }
                Err(trouble)
            }
        }
    }

    fn judge(&self, known: Option<&Standing>, (session, standing): &Found) -> Result<(), Trouble> {
        let Some(before) = known else { return Ok(()) };
        standing.judge(before, Position(self.seen.load(Ordering::Acquire)), &session.server)
    }
}

fn warn_of_fail_over(before: &Standing, now: &Standing, server: &str) {
    let (from, to) = (before.timeline, now.timeline);
    tracing::warn!(
        server,
        from,
        to,
        "the server failed over; nothing that was seen here is known to be lost"
    );
}
