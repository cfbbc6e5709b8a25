//! What all diaries say together: whether two owners ever overlapped, and how long shards were without one.
//!
//! Nothing here comes from the ledger. A ledger says who should act; the diaries say who did.

use std::collections::BTreeMap;
use std::time::Duration;

use tenure::{Fence, ShardId};

use super::diary::Tenure;

/// A shard whose last owner has not acted for so long has none, as far as one can see.
const QUIET: Duration = Duration::from_millis(250);

/// Times without an owner, between one owner and the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Gaps(Vec<Duration>);

impl Gaps {
    /// How many there were.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The longest.
    pub(crate) fn longest(&self) -> Duration {
        self.0.last().copied().unwrap_or_default()
    }

    /// The one in the middle.
    pub(crate) fn median(&self) -> Duration {
        self.0.get(self.0.len() / 2).copied().unwrap_or_default()
    }
}

/// Two owners of one shard that acted at the same time: must not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overlap {
    /// The earlier owner.
    pub(crate) earlier: Fence,
    /// The later one.
    pub(crate) later: Fence,
}

/// What the diaries say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// How many tenures there were.
    pub(crate) tenures: usize,
    /// Shards taken over from an owner that was killed or lost its lease.
    pub(crate) failovers: Gaps,
    /// Shards handed over as planned.
    pub(crate) moves: Gaps,
    /// The overlaps; none, or the promise is broken.
    pub(crate) overlaps: Vec<Overlap>,
    /// Shards that have nobody acting for them now, with the time since somebody did.
    pub(crate) waiting: Gaps,
}

impl Tally {
    /// Adds up the diaries, as of `now` in nanoseconds of boot time.
    pub(super) fn of(diaries: &[Vec<Tenure>], now: u64) -> Self {
        let mut shards: BTreeMap<ShardId, Vec<Tenure>> = BTreeMap::new();
        for tenure in diaries.iter().flatten() {
            shards.entry(tenure.fence.shard).or_default().push(*tenure);
        }
        let mut tally = Self::default();
        shards.into_values().for_each(|tenures| tally.add(tenures, now));
        tally.sorted()
    }

    fn add(&mut self, mut tenures: Vec<Tenure>, now: u64) {
        tenures.sort_by_key(|tenure| (tenure.fence.epoch, tenure.first));
        self.tenures += tenures.len();
        for pair in tenures.windows(2) {
            self.follow(&pair[0], &pair[1]);
        }
        if let Some(last) = tenures.last() {
            self.wait(last, now);
        }
    }

    fn follow(&mut self, earlier: &Tenure, later: &Tenure) {
        // One epoch in two processes is an overlap whatever their times.
        if earlier.fence.epoch == later.fence.epoch || earlier.last >= later.first {
            self.overlaps.push(Overlap { earlier: earlier.fence, later: later.fence });
            return;
        }
        let gap = Duration::from_nanos(later.first - earlier.last);
        if earlier.ended { self.moves.0.push(gap) } else { self.failovers.0.push(gap) }
    }

    fn wait(&mut self, last: &Tenure, now: u64) {
        let silent = Duration::from_nanos(now.saturating_sub(last.last));
        if last.ended || silent > QUIET {
            self.waiting.0.push(silent);
        }
    }

    fn sorted(mut self) -> Self {
        for gaps in [&mut self.failovers, &mut self.moves, &mut self.waiting] {
            gaps.0.sort_unstable();
        }
        self
    }

    /// The longest time that a shard which had an owner was without one.
    pub(crate) fn longest(&self) -> Duration {
        self.failovers.longest().max(self.moves.longest()).max(self.waiting.longest())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenure::Epoch;

    fn tenure(shard: u32, epoch: u64, first: u64, last: u64, ended: bool) -> Tenure {
        let fence = Fence { shard: ShardId(shard), epoch: Epoch(epoch) };
        Tenure { fence, first, last, ended }
    }

    #[test]
    fn an_owner_that_said_its_end_was_moved_and_one_that_did_not_was_failed_over() {
        let ada = vec![tenure(1, 1, 0, 100, true), tenure(2, 1, 0, 100, false)];
        let ben = vec![tenure(1, 2, 103, 500, false), tenure(2, 2, 150, 500, false)];
        let tally = Tally::of(&[ada, ben], 500);
        assert_eq!(tally.moves, Gaps(vec![Duration::from_nanos(3)]));
        assert_eq!(tally.failovers, Gaps(vec![Duration::from_nanos(50)]));
        assert_eq!((tally.tenures, tally.longest()), (4, Duration::from_nanos(50)));
        assert_eq!((tally.overlaps.len(), tally.waiting.count()), (0, 0));
    }

    #[test]
    fn an_act_at_or_after_the_next_owners_first_is_an_overlap() {
        for last in [99, 100, 101] {
            let tally =
                Tally::of(&[vec![tenure(1, 1, 0, last, false)], vec![tenure(1, 2, 100, 200, false)]], 200);
            assert_eq!(tally.overlaps.len(), usize::from(last >= 100), "{last}");
        }
    }

    #[test]
    fn an_epoch_that_two_processes_used_is_an_overlap() {
        let tally = Tally::of(&[vec![tenure(1, 4, 0, 10, true)], vec![tenure(1, 4, 20, 30, true)]], 30);
        assert_eq!(tally.overlaps.len(), 1);
    }

    #[test]
    fn shards_have_nothing_to_do_with_each_other() {
        let tally = Tally::of(&[vec![tenure(1, 1, 0, 100, false)], vec![tenure(2, 2, 50, 100, false)]], 100);
        assert_eq!(tally.overlaps, []);
    }

    #[test]
    fn a_shard_that_nobody_acts_for_counts_up_to_now() {
        let second = 1_000_000_000;
        let tally =
            Tally::of(&[vec![tenure(1, 1, 0, 10, false), tenure(2, 1, 0, second, false)]], second + 10);
        assert_eq!((tally.waiting.count(), tally.longest()), (1, Duration::from_secs(1)));
    }
}
