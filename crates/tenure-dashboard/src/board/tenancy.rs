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
    pub(super) why: Option<Arc<str>>,
}

/// A time without an owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Vacancy {
    /// The first look that showed it.
    pub(super) since_ms: u64,
    /// The last sign of the owner before.
    pub(super) sign_ms: u64,
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
    /// How long there was no owner until `at_ms`: as seen, and at most.
    pub(super) fn gap(&self, at_ms: u64) -> (Option<u64>, Option<u64>) {
        match self {
            Self::Vacant(vacancy) => {
                (Some(at_ms.saturating_sub(vacancy.since_ms)), Some(at_ms.saturating_sub(vacancy.sign_ms)))
            }
            Self::Unknown | Self::Held(_) => (None, None),
        }
    }
}
