//! Proof of death for the processes that share a file.
//!
//! The proof is the lock (see [`super::lock`]). When to try it is told by the process's descriptor, at once; and slowly by the
//! clock, since the process may live where its number means somebody else.

use std::future::pending;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use rustix::process::{PidfdFlags, pidfd_open};
use tenure::clock::Clock;
use tenure::store::{Registration, StoreError, StoreErrorKind, Witness};
use tenure_core::ids::Process;
use tenure_core::moment::Moment;

use super::desk::Desk;
use super::error::KIND;
use super::lock::{Held, LockError, Suspect, sweep};
use crate::trouble::StoreTrouble;

/// How often the lock is tried while the system watches the process for us.
const SLOW: Duration = Duration::from_secs(1);

/// How often it is tried where nobody does.
const FAST: Duration = Duration::from_millis(250);

/// The first pause after the process has ended while others still hold its lock: its children, which are ending too. Each
/// further pause is twice as long, up to [`FAST`].
const BRIEF: Duration = Duration::from_millis(1);

/// Witnesses the ends of processes by their locks.
#[derive(Debug)]
pub(super) struct LockWitness {
    desk: Arc<Desk>,
    locks: PathBuf,
    clock: Clock,
}

impl LockWitness {
    pub(super) fn new(desk: Arc<Desk>, locks: PathBuf) -> Self {
        Self { desk, locks, clock: Clock::boot() }
    }

    async fn watch(&self, suspect: &Suspect) {
        let mut vigil = descriptor_of(suspect).map(|process| self.desk.vigil(process));
        let mut pause = FAST;
        // Ends with the proof, or when its caller drops it.
        while !suspect.is_dead() {
            match &mut vigil {
                Some(end) => {
                    if self.clock.timeout(until_round(self.clock.now()), end).await.is_ok() {
                        (vigil, pause) = (None, BRIEF);
                    }
                }
                None => {
                    self.clock.sleep(pause).await;
                    pause = (pause * 2).min(FAST);
                }
            }
        }
    }
}

/// All locks are tried in one round, at a moment that is this process's own: each by itself would wake its thread as often as there
/// are members.
fn until_round(now: Moment) -> Duration {
    let span = SLOW.as_nanos() as u64;
    let phase = u64::from(std::process::id()).wrapping_mul(0x9E37_79B9_7F4A_7C15) % span;
    Duration::from_nanos(span - (now.as_nanos() + phase) % span)
}

fn descriptor_of(suspect: &Suspect) -> Option<OwnedFd> {
    pidfd_open(suspect.pid()?, PidfdFlags::empty()).ok()
}

#[async_trait]
impl Witness for LockWitness {
    async fn register(&self, process: Process) -> Result<Box<dyn Registration>, StoreError> {
        let locks = self.locks.clone();
        let held = self.desk.ask(move |_| {
            let held = Held::take(&locks, process);
            if let Err(error) = sweep(&locks, process) {
                tracing::debug!(%error, "old lock files could not be swept");
            }
            Ok(held)
        });
        let named = self.locks.join(process.to_string()).display().to_string();
        match held.await.map_err(|trouble| trouble.on("register", &named))? {
            Ok(held) => Ok(Box::new(held)),
            Err(error) => Err(refused(error, named)),
        }
    }

    async fn death_of(&self, process: Process) {
        match Suspect::find(&self.locks, process) {
            Some(suspect) => self.watch(&suspect).await,
            None => pending().await,
        }
    }
}

fn refused(error: LockError, named: String) -> StoreError {
    let message = error.to_string();
    match error {
        LockError::Taken => StoreError::new(StoreErrorKind::Invalid, KIND, "register", named, message),
        LockError::File(cause) => {
            StoreError::new(StoreErrorKind::Denied, KIND, "register", named, message).caused_by(cause)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_waits_waits_for_the_same_round() {
        let now = Moment::from_nanos(4_711_000_000_000);
        let round = now + until_round(now);
        let later = now + until_round(now) / 3;
        assert_eq!(later + until_round(later), round);
        assert_eq!(until_round(round), SLOW);
    }
}
