//! Drives a connection, and notes what comes in besides answers: notifications, and warnings.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use futures_util::FutureExt;
use tenure::clock::Clock;
use tenure::store::Hint;
use tokio::sync::{Notify, broadcast, watch};
use tokio_postgres::error::{DbError, Severity, SqlState};
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{AsyncMessage, Connection, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::brake::{Brake, Verdict};
use super::news;

/// What is to be driven.
pub(super) type Wire = Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>;

/// What came in. The library hands out answers only after everything that came before them was noted here.
#[derive(Debug, Default)]
pub(super) struct Signs {
    spoke: AtomicBool,
    warnings: AtomicU64,
    flood: Notify,
}

impl Signs {
    /// Whether something was told since this was last asked.
    pub(super) fn take_speech(&self) -> bool {
        self.spoke.swap(false, Ordering::AcqRel)
    }

    /// Completes when there are far too many notifications.
    pub(super) async fn flooded(&self) {
        self.flood.notified().await;
    }

    /// Whatever flood there was, it is over.
    pub(super) fn forget_flood(&self) {
        let _ = self.flooded().now_or_never();
    }

    /// How many warnings came that put a commit in doubt.
    pub(super) fn warnings(&self) -> u64 {
        self.warnings.load(Ordering::Acquire)
    }
}

/// Until the connection ends; then `lives` is dropped. Its errors reach those who wait for answers.
pub(super) async fn drive(
    mut wire: Wire,
    hints: broadcast::Sender<Hint>,
    signs: Arc<Signs>,
    lives: watch::Sender<()>,
) {
    let mut brake = Brake::default();
    while let Some(Ok(message)) = poll_fn(|cx| wire.poll_message(cx)).await {
        signs.spoke.store(true, Ordering::Release);
        match message {
            AsyncMessage::Notification(told) => match brake.weigh(Clock::boot().now()) {
                Verdict::Take => pass_on(news::hint(told.payload()), &hints),
                Verdict::LookAtEverything => pass_on(Hint::anything(), &hints),
                Verdict::LeaveOut => {}
                Verdict::Flood => signs.flood.notify_one(),
            },
            AsyncMessage::Notice(notice) => note(&notice, &signs),
            _ => {}
        }
    }
    drop(lives);
}

fn pass_on(hint: Hint, hints: &broadcast::Sender<Hint>) {
    // Nobody watching is no failure.
    let _ = hints.send(hint);
}

/// Of the texts of a warning only the code is the same in all languages, and it is that of warnings in general: so any of them
/// puts the commits in doubt that are being answered.
fn note(notice: &DbError, signs: &Signs) {
    tracing::debug!(%notice, "the server says");
    if notice.parsed_severity() == Some(Severity::Warning) && notice.code() == &SqlState::WARNING {
        signs.warnings.fetch_add(1, Ordering::AcqRel);
    }
}
