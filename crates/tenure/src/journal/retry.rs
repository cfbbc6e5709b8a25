//! Trying again: a store that does not answer is asked until it does.

use std::future::Future;
use std::time::Duration;

use super::JournalError;
use crate::clock::Clock;
use crate::store::StoreErrorKind;

/// Waits longer after each answer that did not come.
#[derive(Debug, Default)]
pub(super) struct Pause {
    failures: u32,
}

impl Pause {
    const FIRST: Duration = Duration::from_millis(20);
    const LONGEST: Duration = Duration::from_secs(2);

    pub(super) fn reset(&mut self) {
        self.failures = 0;
    }

    pub(super) async fn wait(&mut self) {
        let pause = Self::FIRST.saturating_mul(1 << self.failures.min(10)).min(Self::LONGEST);
        self.failures = self.failures.saturating_add(1);
        Clock::boot().sleep(pause).await;
    }
}

/// Asks until an answer comes that says what happened. Only for what may be asked again: an append of the same entry under the same
/// number is, since its condition lets it in once.
///
/// # Errors
/// What is not mended by asking again.
pub async fn until_answered<T, F>(mut ask: impl FnMut() -> F) -> Result<T, JournalError>
where
    F: Future<Output = Result<T, JournalError>>,
{
    let mut pause = Pause::default();
    loop {
        match ask().await {
            Err(JournalError::Store(error)) if may_ask_again(error.kind) => {
                tracing::warn!(%error, "the journal's store did not answer; asking again");
                pause.wait().await;
            }
            answered => return answered,
        }
    }
}

/// Whether a call that failed so may be tried again.
pub(super) fn may_ask_again(kind: StoreErrorKind) -> bool {
    match kind {
        StoreErrorKind::Unavailable | StoreErrorKind::Indeterminate => true,
        StoreErrorKind::Denied | StoreErrorKind::Invalid | StoreErrorKind::Incompatible => false,
    }
}
