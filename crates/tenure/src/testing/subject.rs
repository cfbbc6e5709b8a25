//! The store under test.

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::Soak;
use crate::store::{SharedStore, Store};

/// The calls of a soak, unless said otherwise: enough to meet what happens once in a thousand writes, and tens of seconds on a
/// store that takes milliseconds for each.
const SOAK: Soak = Soak::of(4_000);

/// A test whose hint never comes ends, instead of hanging for ever.
const PATIENCE: Duration = Duration::from_secs(60);

/// A fresh, empty store, with one or two handles on it.
pub struct Subject {
    store: SharedStore,
    other: SharedStore,
    hints: bool,
    hashed_versions: bool,
    soak: Soak,
    patience: Duration,
    kept: Vec<Box<dyn Any + Send + Sync>>,
}

impl Subject {
    /// Tests `store`, which is empty.
    pub fn new(store: impl Store) -> Self {
        let store: SharedStore = Arc::new(store);
        let (other, kept) = (Arc::clone(&store), Vec::new());
        Self { store, other, hints: true, hashed_versions: false, soak: SOAK, patience: PATIENCE, kept }
    }

    /// Another handle on the same records, such as another process would have.
    #[must_use]
    pub fn with_second_handle(mut self, other: impl Store) -> Self {
        self.other = Arc::new(other);
        self
    }

    /// The store gives no hints.
    #[must_use]
    pub fn without_hints(mut self) -> Self {
        self.hints = false;
        self
    }

    /// The store's versions are hashes of contents: equal contents have equal versions, which the protocol allows.
    #[must_use]
    pub fn with_hashed_versions(mut self) -> Self {
        self.hashed_versions = true;
        self
    }

    /// The store is soaked like this: in more calls if they cost little, in fewer if each takes long.
    #[must_use]
    pub fn with_soak(mut self, soak: Soak) -> Self {
        self.soak = soak;
        self
    }

    /// A hint that takes longer than this will never come; a minute unless said.
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Keeps something alive as long as the store: a server, a directory.
    #[must_use]
    pub fn keeping(mut self, thing: impl Any + Send + Sync) -> Self {
        self.kept.push(Box::new(thing));
        self
    }

    /// The first handle.
    pub fn store(&self) -> &SharedStore {
        &self.store
    }

    /// The second handle; the first one again, where there is only one.
    pub fn other(&self) -> &SharedStore {
        &self.other
    }

    pub(super) fn soak(&self) -> Soak {
        self.soak
    }

    pub(super) fn patience(&self) -> Duration {
        self.patience
    }

    pub(super) fn has_hints(&self) -> bool {
        self.hints
    }

    pub(super) fn has_hashed_versions(&self) -> bool {
        self.hashed_versions
    }
}

impl fmt::Debug for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subject").field("store", &self.store).finish_non_exhaustive()
    }
}
