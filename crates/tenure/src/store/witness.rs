//! Proof of death: knowing, not guessing, that a process has ended.

use std::io;
use std::os::fd::OwnedFd;

use async_trait::async_trait;
use tenure_core::ids::Process;

use super::StoreError;

/// Held by a process for all its life: while it exists, no proof says that the process is dead.
pub trait Registration: Send + Sync + std::fmt::Debug {
    /// Says that other processes act for this one, such as its children, and gives a descriptor to share with whoever
    /// watches over them. From now on, for ever, the process is proven dead only if every copy of the descriptor is closed
    /// *and* [`LAST_WORD`] was written to one of them: by a survivor that has seen the end of all who acted. Without that
    /// word the others wait for the lease. `None` if the registration can't be shared: then the end of those others must
    /// come before its own.
    ///
    /// # Errors
    /// If the system gives no further descriptor, or what is said can't be written.
    fn share(&self) -> io::Result<Option<OwnedFd>> {
        Ok(None)
    }
}

/// What a survivor writes to the descriptor of [`Registration::share`], once it has seen that nothing acts any more and
/// nothing will.
pub const LAST_WORD: &[u8] = b"nothing acts any more\n";

/// Proves that a process, with all that shares its registration, has ended. Silence is never proof.
#[async_trait]
pub trait Witness: Send + Sync + std::fmt::Debug {
    /// Registers this process, before its first record is written. Dropping the registration is a proof of death: hold it
    /// until all work has ended.
    async fn register(&self, process: Process) -> Result<Box<dyn Registration>, StoreError>;

    /// Completes once it is proven that `process` has ended; never, if that can't be known here. Cancel-safe.
    async fn death_of(&self, process: Process);
}
