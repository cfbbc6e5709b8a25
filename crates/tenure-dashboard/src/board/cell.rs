//! One shard of the picture, and pictures of many.

use std::sync::Arc;

use tenure::cluster::HoldingView;

use super::member_index::MemberIndex;
use crate::view::{Cells, NOBODY, Reasons, UNKNOWN};

/// One shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) owner: i32,
    pub(super) heir: i32,
    pub(super) epoch: u64,
    pub(super) since_ms: Option<u64>,
    pub(super) why: Option<Arc<str>>,
}

impl Cell {
    /// A shard of which nothing was seen.
    pub(super) const UNSEEN: Self =
        Self { owner: UNKNOWN, heir: NOBODY, epoch: 0, since_ms: None, why: None };

    pub(super) fn of(view: &HoldingView, index: &mut MemberIndex) -> Self {
        let mut place = |id: &Option<tenure::MemberId>| {
            id.as_ref().map_or(NOBODY, |id| i32::try_from(index.place(id)).unwrap_or(NOBODY))
        };
        Self {
            owner: place(&view.owner),
            heir: place(&view.heir),
            epoch: view.epoch.0,
            since_ms: view.since_ms,
            why: view.why.clone(),
        }
    }

    /// Who owns it and at which epoch, if somebody does.
    pub(super) fn tenure(&self) -> Option<(u32, u64)> {
        u32::try_from(self.owner).ok().map(|owner| (owner, self.epoch))
    }
}

/// Adds shards to a picture, one by one.
#[derive(Debug, Default)]
pub(super) struct Painter {
    cells: Cells,
    reasons: Reasons,
}

impl Painter {
    pub(super) fn add(&mut self, cell: &Cell) {
        self.cells.owner.push(cell.owner);
        self.cells.heir.push(cell.heir);
        self.cells.epoch.push(cell.epoch);
        self.cells.since_ms.push(cell.since_ms);
        let why = cell.why.as_deref().map(|why| self.reasons.place(why));
        self.cells.why.push(why);
    }

    pub(super) fn add_numbered(&mut self, shard: u32, cell: &Cell) {
        self.cells.shard.get_or_insert_default().push(shard);
        self.add(cell);
    }

    pub(super) fn finish(self, seq: u64, at_ms: u64) -> Cells {
        Cells { seq, at_ms, reasons: self.reasons.into_words(), ..self.cells }
    }
}
