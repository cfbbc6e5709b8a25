//! The store under test.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::store::{SharedStore, Store};

/// A fresh, empty store, with one or two handles on it.
pub struct Subject {
    store: SharedStore,
    other: SharedStore,
    hints: bool,
    hashed_versions: bool,
    kept: Vec<Box<dyn Any + Send + Sync>>,
}

impl Subject {
    /// Tests `store`, which is empty.
    pub fn new(store: impl Store) -> Self {
        let store: SharedStore = Arc::new(store);
        Self { other: Arc::clone(&store), store, hints: true, hashed_versions: false, kept: Vec::new() }
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
