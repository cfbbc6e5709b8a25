//! Proof of death: knowing, not guessing, that a process has ended.

use std::io;
use std::os::fd::OwnedFd;

use async_trait::async_trait;
use tenure_core::ids::Process;

use super::StoreError;

/// Held by a process for all its life: while it exists, nobody can prove the process dead.
pub trait Registration: Send + Sync + std::fmt::Debug {
    /// A descriptor for processes that act for this one, such as its children: as long as it is open in any of them, nobody
    /// can prove the process dead. `None` if the registration can't be shared: then their end must come before its own.
    ///
    /// # Errors
    /// If the system gives no further descriptor.
    fn share(&self) -> io::Result<Option<OwnedFd>> {
        Ok(None)
    }
}

/// Proves that a process, with all that shares its registration, has ended. Silence is never proof.
#[async_trait]
pub trait Witness: Send + Sync + std::fmt::Debug {
    /// Registers this process, before its first record is written. Dropping the registration is a proof of death: hold it
    /// until all work has ended.
    async fn register(&self, process: Process) -> Result<Box<dyn Registration>, StoreError>;

    /// Completes once it is proven that `process` has ended; never, if that can't be known here. Cancel-safe.
    async fn death_of(&self, process: Process);
}
