//! Which store call was made for what.

use std::collections::BTreeMap;

use crate::ids::{Incarnation, Life, MemberId};
use crate::message::CallId;
use crate::record::{LedgerPage, MemberRecord, Version};

/// What a store call is for.
#[derive(Debug)]
pub(super) enum Purpose {
    Founding,
    Lease,
    Page {
        number: u32,
        generation: u64,
    },
    Members,
    Glance(MemberId),
    Seek(Life),
    Close {
        id: MemberId,
        record: Box<MemberRecord>,
    },
    Collect {
        id: MemberId,
        version: Version,
    },
    /// Of the life that asks; `None` before one has joined.
    Lineage(Option<Incarnation>),
    Plan {
        number: u32,
        page: Box<LedgerPage>,
        changed: usize,
    },
}

/// The calls that have no reply yet.
#[derive(Debug, Default)]
pub(super) struct Calls {
    next: u64,
    open: BTreeMap<CallId, Purpose>,
}

impl Calls {
    pub(super) fn begin(&mut self, purpose: Purpose) -> CallId {
        self.next += 1;
        let call = CallId(self.next);
        self.open.insert(call, purpose);
        call
    }

    pub(super) fn end(&mut self, call: CallId) -> Option<Purpose> {
        self.open.remove(&call)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether a call for such a purpose has no reply yet.
    pub(super) fn has(&self, such: impl Fn(&Purpose) -> bool) -> bool {
        self.open.values().any(such)
    }
}
