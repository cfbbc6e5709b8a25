//! Hears what changed.
//!
//! Every change is followed by a notification. They are heard over the connection that the calls go over, so what is heard comes
//! from the server that is asked, and from no former primary. What is told while there is no connection is told to nobody: after
//! each new one the hint is "look at everything". A connection that a dead network left behind tells nothing either, so one
//! that was quiet for long is asked whether it lives. Whoever floods the channel is not listened to for a while: answers come
//! over the same connection. Members then look on their own.

use std::sync::Arc;
use std::time::Duration;

use tenure::clock::Clock;
use tenure::store::Hint;
use tokio::sync::broadcast;

use super::client::Line;
use super::error::Trouble;
use super::session::{Disturbance, Session};
use super::url::Options;

/// How long a connection may be quiet before it is asked whether it lives.
const QUIET_MAX: Duration = Duration::from_secs(10);

/// The pauses between attempts to connect: doubled each time, then shortened by chance, so that a fleet that lost its server does
/// not come back in step.
const PAUSE_MIN: Duration = Duration::from_millis(100);
const PAUSE_MAX: Duration = Duration::from_secs(5);

/// How long a flood is not listened to.
const REST: Duration = Duration::from_secs(5);

/// Listens for ever, and connects again whenever the connection is lost.
pub(super) async fn listen(options: Arc<Options>, line: Arc<Line>, hints: broadcast::Sender<Hint>) {
    let mut pause = PAUSE_MIN;
    loop {
        match listening(&options, &line).await {
            Ok(session) => {
                pause = PAUSE_MIN;
                // What changed before we listened was told to nobody. Nobody watching is no failure.
                let _ = hints.send(Hint::anything());
                until_lost(&session, &options).await;
                tracing::debug!(server = session.server, "hints are interrupted");
            }
            Err(trouble) => tracing::debug!(error = %trouble, "hints can't be had yet"),
        }
        Clock::boot().sleep(pause.mul_f64(0.5 + fastrand::f64() / 2.0)).await;
        pause = (pause * 2).min(PAUSE_MAX);
    }
}

async fn listening(options: &Options, line: &Line) -> Result<Arc<Session>, Trouble> {
    let session = line.session().await?;
    let told = session.listen(options).await;
    if told.as_ref().is_err_and(Trouble::ends_session) {
        session.close();
    }
    told.map(|()| session)
}

/// Until the connection ends, does not answer, or was flooded and had its rest.
async fn until_lost(session: &Session, options: &Options) {
    loop {
        let asked = match Clock::boot().timeout(QUIET_MAX, session.disturbed()).await {
            Ok(Disturbance::Ended) => return,
            Ok(Disturbance::Flooded) => return rest(session, options).await,
            Err(_) if session.spoke_of_late() => continue,
            Err(_) => session.run(options, "").await,
        };
        if asked.is_err() {
            return session.close();
        }
    }
}

/// Whether or not the connection survives the flood, the next one is not exposed to it at once.
async fn rest(session: &Session, options: &Options) {
    tracing::warn!(
        server = session.server,
        "somebody floods the channel of hints; members look on their own"
    );
    if session.listen_no_more(options).await.is_err() {
        session.close();
    }
    Clock::boot().sleep(REST).await;
}
