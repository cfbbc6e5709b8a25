//! The last changes of a page, for people: since when a shard is where it is, and why.
//!
//! A page carries few of them, and few bytes: the ledger is read by everybody, all the time, and decides nothing by them.

use serde::{Deserialize, Serialize};

use super::hearsay::{CHANGES_MAX, REASON_MAX};
use super::{LedgerPage, Ranges};
use crate::ids::{MemberId, ShardId};

/// The most bytes that the shards of all remembered changes may take: some, and two for each shard of the page.
fn bytes_max(page_len: usize) -> usize {
    512 + 2 * page_len
}

/// A step that a holding took (P1 to P5), in the words of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepTaken {
    /// It got an owner (P1).
    Appointed,
    /// Its heir took it (P2).
    Succeeded,
    /// It got an heir (P3, P4).
    Promised,
    /// Its heir was struck out (P5).
    CalledOff,
}

impl StepTaken {
    /// Whether it changes who owns the shard.
    pub fn changes_owner(self) -> bool {
        matches!(self, Self::Appointed | Self::Succeeded)
    }
}

/// One change of some shards of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The author's wall clock, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<u64>,
    /// Who wrote it.
    pub author: MemberId,
    /// Which step they took.
    pub step: StepTaken,
    /// Why, in words.
    pub reason: String,
    /// To which shards.
    pub shards: Ranges,
}

impl LedgerPage {
    /// Remembers these changes; the oldest are forgotten where there is no room.
    pub fn remember(&mut self, changes: Vec<Change>) {
        let bytes_max = bytes_max(self.holdings.len());
        // What no reader would take is not written.
        self.recent.extend(changes.into_iter().filter(|change| change.reason.len() <= REASON_MAX));
        if let Some(newest) = self.recent.last_mut() {
            newest.shards.cut(bytes_max);
        }
        let mut bytes = 0;
        let fits = |change: &&Change| {
            bytes += change.shards.bytes();
            bytes <= bytes_max
        };
        let kept = self.recent.iter().rev().take(CHANGES_MAX).take_while(fits).count();
        self.recent.drain(..self.recent.len() - kept);
    }

    /// The last change of `shard` that satisfies `wanted`, as far as the page remembers.
    pub fn last_change(&self, shard: ShardId, wanted: impl Fn(StepTaken) -> bool) -> Option<&Change> {
        self.recent.iter().rev().find(|change| wanted(change.step) && change.shards.contains(shard))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Lineage;

    fn change(reason: &str, shards: impl IntoIterator<Item = u32>) -> Change {
        let shards = Ranges::of(shards.into_iter().map(ShardId));
        let author = "a".parse().unwrap();
        Change { at_ms: Some(7), author, step: StepTaken::Appointed, reason: reason.into(), shards }
    }

    #[test]
    fn the_newest_change_of_a_shard_is_found() {
        let mut page = LedgerPage::blank(Lineage(1), 8);
        page.remember(vec![change("first", 0..8)]);
        page.remember(vec![change("second", [3])]);
        assert_eq!(page.last_change(ShardId(3), StepTaken::changes_owner).unwrap().reason, "second");
        assert_eq!(page.last_change(ShardId(4), StepTaken::changes_owner).unwrap().reason, "first");
        assert!(page.last_change(ShardId(4), |step| step == StepTaken::Promised).is_none());
    }

    #[test]
    fn a_page_remembers_few_changes_and_few_bytes() {
        let mut page = LedgerPage::blank(Lineage(1), 4096);
        for turn in 0..40 {
            page.remember(vec![change(&format!("turn {turn}"), [turn])]);
        }
        assert_eq!(page.recent.len(), CHANGES_MAX);
        assert_eq!(page.recent[0].reason, "turn 24");
        for turn in 0..40 {
            page.remember(vec![change(
                &format!("scattered {turn}"),
                (0..4096).filter(|shard| shard % 5 == turn % 5),
            )]);
        }
        let bytes: usize = page.recent.iter().map(|change| change.shards.bytes()).sum();
        assert!(bytes <= bytes_max(4096), "{bytes}");
        assert_eq!(page.recent.last().unwrap().reason, "scattered 39");
    }

    #[test]
    fn a_change_too_long_for_a_page_is_cut_between_two_ranges() {
        let mut page = LedgerPage::blank(Lineage(1), 8);
        page.remember(vec![change("long", (0..2000).step_by(2))]);
        let kept = page.recent[0].shards.to_string();
        assert!(kept.len() <= bytes_max(8) && kept.ends_with(|c: char| c.is_ascii_digit()), "{kept}");
        assert!(page.recent[0].shards.contains(ShardId(4)) && !page.recent[0].shards.contains(ShardId(1998)));
    }
}
