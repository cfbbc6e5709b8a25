//! Lives that the ledger names and no record shows (O3b).
//!
//! An operator or a collector may delete a record whose member still acts. Its lease ends at most `ttl_max` after the
//! record was last there; so two fresh reads that find nothing, with that time between them, close the life.

use crate::moment::Moment;

/// One life without a record, and what fresh reads said of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Missing {
    /// When the reply of the first fresh read that found nothing had arrived.
    pub absent_since: Option<Moment>,
    /// When to read again.
    pub next_at: Moment,
    /// When the read under way was begun.
    pub asked_at: Option<Moment>,
}

impl Missing {
    pub(super) fn new(now: Moment) -> Self {
        Self { absent_since: None, next_at: now, asked_at: None }
    }

    pub(super) fn deadline(&self) -> Option<Moment> {
        self.asked_at.is_none().then_some(self.next_at)
    }
}
