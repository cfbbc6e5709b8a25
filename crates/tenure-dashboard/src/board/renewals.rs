//! Renewals, as an onlooker sees them: how much of each lease was left when it was renewed.

use std::collections::BTreeMap;

use crate::view::{Member, MemberHealth};

/// A renewal comes after a third of the lease. One that comes after more than this share must have failed before.
const LATE_SHARE: f64 = 0.6;

/// One renewal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Renewal {
    /// What was left of the lease; unknown at the first sight of a life.
    pub(super) left_ms: Option<u64>,
    /// Whether one before it must have failed.
    pub(super) late: bool,
}

#[derive(Clone, Debug)]
struct Known {
    life: Option<String>,
    seq: u64,
    renewed_ms: u64,
    health: MemberHealth,
}

/// What is known of each member's renewals, by place.
#[derive(Clone, Debug, Default)]
pub(super) struct Renewals(BTreeMap<u32, Known>);

impl Renewals {
    /// A look showed the member so; what was renewed since the one before.
    pub(super) fn saw(&mut self, member: &Member) -> Option<Renewal> {
        if !member.lease.open {
            return None;
        }
        let known = self.0.entry(member.index).or_insert_with(|| unknown(member.index));
        if known.life == member.incarnation && known.seq == member.lease.seq {
            return None;
        }
        let renewal = renewal(known, member);
        known.health.renewals += 1;
        known.health.left_ms = renewal.left_ms;
        known.health.late += u64::from(renewal.late);
        known.life.clone_from(&member.incarnation);
        (known.seq, known.renewed_ms) = (member.lease.seq, member.lease.renewed_ms);
        Some(renewal)
    }

    /// For each member that renewed, by place.
    pub(super) fn members(&self) -> Vec<MemberHealth> {
        self.0.values().map(|known| known.health).collect()
    }
}

fn unknown(index: u32) -> Known {
    let health = MemberHealth { index, renewals: 0, left_ms: None, late: 0 };
    Known { life: None, seq: 0, renewed_ms: 0, health }
}

fn renewal(known: &Known, member: &Member) -> Renewal {
    if known.life != member.incarnation {
        return Renewal { left_ms: None, late: false };
    }
    let span_ms = member.lease.renewed_ms.saturating_sub(known.renewed_ms);
    let ttl_ms = member.lease.ttl_ms;
    let late = span_ms as f64 > ttl_ms as f64 * LATE_SHARE;
    Renewal { left_ms: Some(ttl_ms.saturating_sub(span_ms)), late }
}
