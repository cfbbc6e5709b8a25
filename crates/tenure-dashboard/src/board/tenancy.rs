//! One shard's owners over time: the tenure that lasts, or since when there is none.

use std::sync::Arc;

use crate::view::End;

/// Who owned a shard from when to when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tenure {
    pub(super) shard: u32,
    pub(super) epoch: u64,
    pub(super) owner: u32,
    pub(super) from_ms: u64,
    pub(super) ended: Option<(u64, End)>,
    pub(super) gap_ms: Option<u64>,
    pub(super) gap_max_ms: Option<u64>,
    /// How the tenure before it ended, if that was seen.
    pub(super) after: Option<End>,
    pub(super) why: Option<Arc<str>>,
}

/// A time without an owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Vacancy {
    /// The first look that showed it.
    pub(super) since_ms: u64,
    /// The last sign of the owner before.
    pub(super) sign_ms: u64,
    /// How the owner before ended.
    pub(super) end: End,
}

/// One shard now.
#[derive(Clone, Debug, Default)]
pub(super) enum Tenancy {
    /// Nothing was seen yet, or it never had an owner.
    #[default]
    Unknown,
    /// It has an owner.
    Held(Tenure),
    /// It had one.
    Vacant(Vacancy),
}

impl Tenancy {
    /// Since when there is no owner, if there was one.
    pub(super) fn vacancy(&self) -> Option<Vacancy> {
        match self {
            Self::Vacant(vacancy) => Some(*vacancy),
            Self::Unknown | Self::Held(_) => None,
        }
    }
}
