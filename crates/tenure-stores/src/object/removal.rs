//! Two ways to remove a record.
//!
//! Where the server's conditional DELETE can be relied on, it is used: nothing stays. Elsewhere a grave is written, and
//! stays. To take it away later would need a conditional DELETE again: an unconditional one, sent while the grave was there and
//! carried out after a member had come back under the same id, would remove a live lease. Only the graves of probes are taken
//! away, since nobody ever writes there again: probes have random names.

use std::sync::Arc;

use object_store::{Error, ObjectStoreExt};
use tenure::store::{Operation, StoreError, Version};

use super::body::Body;
use super::error::fault;
use super::shelf::{Shelf, was_refused};
use super::stamp;
use super::wire::{Removal, Trace};

impl Shelf {
    /// Removes the object, if it still has `version`; whether it had.
    pub(super) async fn remove(&self, key: &str, version: &Version) -> Result<bool, StoreError> {
        let (path, trace) = (self.path(Operation::Delete, key)?, Trace::default());
        // A version that can't be said was never given.
        let Some(condition) = stamp::header(self.place().provider, version) else { return Ok(false) };
        let removal = Removal { condition: Some(condition), trace: trace.clone() };
        match removal.during(self.clients().careful.delete(&path)).await {
            Ok(()) => Ok(true),
            Err(_) if was_refused(&trace, self.place().provider, true) => Ok(false),
            Err(error) => Err(fault(self.place(), Operation::Delete, key, &trace, error)),
        }
    }

    /// Removes the object, whatever it is: for names that nobody needs any more. That there is none is no error.
    pub(super) async fn clear(&self, key: &str) -> Result<(), StoreError> {
        let (path, trace) = (self.path(Operation::Delete, key)?, Trace::default());
        let removal = Removal { condition: None, trace: trace.clone() };
        match removal.during(self.clients().careful.delete(&path)).await {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(fault(self.place(), Operation::Delete, key, &trace, error)),
        }
    }

    /// Puts a grave in the place of `version`, if it is still there; whether it was.
    pub(super) async fn bury(&self, key: &str, version: &Version) -> Result<bool, StoreError> {
        let grave = Body::of_grave(self.place().provider.scheme(), key)?;
        let buried = self.write(Operation::Delete, key, grave, Some(version)).await?;
        if buried.is_some() && is_probe(key) {
            self.level(key);
        }
        Ok(buried.is_some())
    }

    /// Takes a grave away. Whoever deleted has its answer already: should this fail, the grave stays, and harms nobody.
    fn level(&self, key: &str) {
        let Ok(path) = self.path(Operation::Delete, key) else { return };
        let client = Arc::clone(&self.clients().careful);
        tokio::spawn(async move {
            let levelled: Result<(), Error> = client.delete(&path).await;
            if let Err(error) = levelled {
                tracing::debug!(%error, "the grave of a probe stays");
            }
        });
    }
}

/// Probes are at `<cluster>/probe/<name>`.
fn is_probe(key: &str) -> bool {
    let mut segments = key.split('/').skip(1);
    segments.next() == Some("probe") && segments.next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_probes_are_never_written_again() {
        assert!(is_probe("orders/probe/0123"));
        assert!(is_probe("orders/probe/check-1/race-new"));
        assert!(!is_probe("orders/members/probe"));
        assert!(!is_probe("probe/members/a"));
        assert!(!is_probe("orders/probe"));
    }
}
