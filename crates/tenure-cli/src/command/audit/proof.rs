//! The proof: for each shard, every pair of tenures of different seats is disjoint, the higher epoch being the later one.
//!
//! It is enough to go through the tenures by their beginnings and to keep the one that ends last so far. A tenure whose end is not
//! told (its process was killed with its warden, or runs still) proves nothing by itself: it is counted, and taken to have ended
//! when the next seat began.

use std::collections::BTreeMap;
use std::time::Duration;

use tenure::ShardId;

use super::tenure_of::{Tenure, tenures};
use super::verdict::{Fault, Gap, Verdict};
use crate::history::HistoryLine;

/// Judges the merged lines; wall clocks of different machines may disagree by `skew`.
pub(super) fn judge(lines: &[HistoryLine], skew: Duration) -> Verdict {
    let mut by_shard: BTreeMap<ShardId, Vec<&HistoryLine>> = BTreeMap::new();
    for line in lines {
        by_shard.entry(line.shard).or_default().push(line);
    }
    let mut verdict = Verdict::new(by_shard.len());
    for lines in by_shard.values() {
        judge_shard(lines, skew.as_micros() as i64, &mut verdict);
    }
    verdict
}

fn judge_shard(lines: &[&HistoryLine], skew_us: i64, verdict: &mut Verdict) {
    let (told, stray) = tenures(lines);
    verdict.tenures += told.len();
    verdict.stray += stray;
    verdict.open += told.iter().enumerate().filter(|(place, one)| is_open(one, &told[place + 1..])).count();
    let mut latest: Option<&Tenure> = None;
    for tenure in &told {
        if let Some(before) = latest.filter(|before| !before.is_same_seat(tenure)) {
            compare(before, tenure, skew_us, verdict);
        }
        if latest.is_none_or(|before| ends_after(tenure, before)) {
            latest = Some(tenure);
        }
    }
}

/// A tenure without an end, after which the shard had another owner: it is not known whether it had ended by then.
fn is_open(tenure: &Tenure, later: &[Tenure]) -> bool {
    tenure.ended.is_none() && later.iter().any(|next| !next.is_same_seat(tenure))
}

fn ends_after(tenure: &Tenure, before: &Tenure) -> bool {
    match (&tenure.ended, &before.ended) {
        (None, _) | (_, None) => true,
        (Some(end), Some(before)) => before.until(end).0 >= 0,
    }
}

fn compare(before: &Tenure, after: &Tenure, skew_us: i64, verdict: &mut Verdict) {
    if after.epoch <= before.epoch {
        return verdict.faults.push(Fault::Epoch(before.clone(), after.clone()));
    }
    let Some(ended) = &before.ended else { return };
    let (gap_us, exact) = ended.until(&after.began);
    let allowed = if exact { 0 } else { skew_us };
    if gap_us + allowed < 0 {
        return verdict.faults.push(Fault::Overlap {
            before: before.clone(),
            after: after.clone(),
            us: -gap_us,
        });
    }
    let between_members = before.member != after.member;
    verdict.gaps.push(Gap { us: gap_us.max(0), between_members });
}
