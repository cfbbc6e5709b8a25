//! One tenure: the time from `act` to `end` of one life for one shard at one epoch.

use tenure::{Epoch, MemberId, ShardId};

use crate::history::{Boundary, HistoryLine};

/// A moment of a history: comparable by boot time within one boot, else by the wall clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct When {
    pub(super) boot_us: u64,
    pub(super) wall_ms: u64,
    pub(super) boot_id: String,
}

impl When {
    fn of(line: &HistoryLine) -> Self {
        Self { boot_us: line.boot_us, wall_ms: line.wall_ms, boot_id: line.boot_id.clone() }
    }

    /// Microseconds from `self` to `later`, negative if it is earlier; and whether one clock measured both.
    pub(super) fn until(&self, later: &Self) -> (i64, bool) {
        if self.boot_id == later.boot_id {
            (later.boot_us as i64 - self.boot_us as i64, true)
        } else {
            ((later.wall_ms as i64 - self.wall_ms as i64) * 1_000, false)
        }
    }
}

/// The time from `act` to `end` of one life for one shard at one epoch. A command that is run again in between makes one more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tenure {
    pub(super) member: MemberId,
    pub(super) incarnation: String,
    pub(super) shard: ShardId,
    pub(super) epoch: Epoch,
    pub(super) began: When,
    /// `None` if the history does not tell.
    pub(super) ended: Option<When>,
}

impl Tenure {
    fn begun(line: &HistoryLine) -> Self {
        Self {
            member: line.member.clone(),
            incarnation: line.incarnation.clone(),
            shard: line.shard,
            epoch: line.epoch,
            began: When::of(line),
            ended: None,
        }
    }

    /// Whether both are the same life at the same epoch.
    pub(super) fn is_same_seat(&self, other: &Self) -> bool {
        self.epoch == other.epoch && self.member == other.member && self.incarnation == other.incarnation
    }

    fn is_of(&self, line: &HistoryLine) -> bool {
        self.epoch == line.epoch && self.member == line.member && self.incarnation == line.incarnation
    }
}

/// The tenures that the lines of one shard tell of, in the order of their beginnings; and ends without a beginning.
pub(super) fn tenures(lines: &[&HistoryLine]) -> (Vec<Tenure>, usize) {
    let mut told: Vec<Tenure> = Vec::new();
    let mut stray = 0;
    for line in lines {
        match line.deed {
            Boundary::Act => told.push(Tenure::begun(line)),
            Boundary::End => match told.iter_mut().rev().find(|one| one.ended.is_none() && one.is_of(line)) {
                Some(open) => open.ended = Some(When::of(line)),
                None => stray += 1,
            },
        }
    }
    (told, stray)
}
