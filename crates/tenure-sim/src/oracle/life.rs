//! What is true of one life, by what landed in the store.

use tenure_core::ids::Life;

use crate::clock::Nanos;

/// The number of a life, in the order in which their records first landed.
pub(crate) type LifeNo = usize;

/// What is true of one life.
#[derive(Clone, Debug)]
pub(crate) struct LifeFacts {
    pub(crate) life: Life,
    /// When its first record landed.
    pub(crate) born: Nanos,
    /// When a record first said that it leaves, or has gone.
    pub(crate) leaves_since: Option<Nanos>,
    /// When a record closed it: `gone`, `deposed`, or a greater term of its line.
    pub(crate) closed_at: Option<Nanos>,
    /// Since when it has been known to be missing: the record was deleted, or is of another line.
    pub(crate) missing_since: Option<Nanos>,
}

impl LifeFacts {
    /// Whether O3 may count it as closed at `now`: by a record, or because it has been missing for `ttl_max`.
    pub(crate) fn is_closed(&self, now: Nanos, ttl_max: Nanos) -> bool {
        self.closed_at.is_some() || self.missing_since.is_some_and(|since| now >= since + ttl_max)
    }
}
