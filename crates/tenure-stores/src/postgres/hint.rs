//! Hears what changed.
//!
//! Every change is followed by a notification. They are heard over a connection of their own, since what is told while that is
//! down is told to nobody: after each new connection the hint is "look at everything". A connection that a dead network left behind tells nothing either, so it is asked something from time to time.

use std::sync::Arc;
use std::time::Duration;

use tenure::clock::Clock;
use tenure::store::Hint;
use tokio::sync::{broadcast, mpsc};

use super::fault::Trouble;
use super::line::Line;
use super::news;
use super::search;
use super::session::Session;
use super::url::Options;

/// How long a connection may be quiet before it is asked whether it lives.
const QUIET_MAX: Duration = Duration::from_secs(10);

/// The pauses between attempts to connect: doubled each time, then shortened by chance, so that a fleet that lost its server does
/// not come back in step.
const PAUSE_MIN: Duration = Duration::from_millis(100);
const PAUSE_MAX: Duration = Duration::from_secs(5);

/// Listens for ever, and connects again whenever the connection is lost.
pub(super) async fn listen(options: Arc<Options>, line: Arc<Line>, hints: broadcast::Sender<Hint>) {
    let mut pause = PAUSE_MIN;
    loop {
        match connect(&options).await {
            Ok((session, told)) => {
                pause = PAUSE_MIN;
                let ended = pass_on(&session, &options, told, |hint| tell(&line, &hints, hint)).await;
                tracing::debug!(server = session.server, error = ?ended, "hints are interrupted");
            }
            Err(trouble) => tracing::debug!(error = %trouble, "hints can't be had yet"),
        }
        Clock::boot().sleep(pause.mul_f64(0.5 + fastrand::f64() / 2.0)).await;
        pause = (pause * 2).min(PAUSE_MAX);
    }
}

async fn connect(options: &Options) -> Result<(Session, mpsc::UnboundedReceiver<String>), Trouble> {
    let (teller, told) = mpsc::unbounded_channel();
    let (session, _) = search::primary(options, Some(&teller), |_| Ok(())).await?;
    session.run(options, &format!("LISTEN \"{}\"", options.schema.channel())).await?;
    Ok((session, told))
}

/// Until the connection ends; says why, if it was not the server that ended it.
async fn pass_on(
    session: &Session,
    options: &Options,
    mut told: mpsc::UnboundedReceiver<String>,
    tell: impl Fn(Hint),
) -> Option<Trouble> {
    // What changed before we listened was told to nobody.
    tell(Hint::anything());
    loop {
        match Clock::boot().timeout(QUIET_MAX, told.recv()).await {
            Ok(Some(payload)) => tell(news::hint(&payload)),
            Ok(None) => return None,
            Err(_) => match session.run(options, "").await {
                Ok(()) => {}
                Err(trouble) => return Some(trouble),
            },
        }
    }
}

fn tell(line: &Line, hints: &broadcast::Sender<Hint>, hint: Hint) {
    if let Some(record) = &hint.record {
        line.saw(&record.version);
    }
    // Nobody watching is no failure.
    let _ = hints.send(hint);
}
