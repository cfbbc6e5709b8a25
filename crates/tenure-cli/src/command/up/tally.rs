//! What all work logs say together: whether two owners ever overlapped, and how long shards were without one.
//!
//! Nothing here comes from the ledger. A ledger says who should act; the work logs say who did.

use std::collections::BTreeMap;
use std::time::Duration;

use tenure::{Fence, MemberId, ShardId};
use tenure_core::moment::Moment;
use tenure_dashboard::view::Kind;

use super::show::Closing;
use super::work_log::Tenure;

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

/// What the work logs say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// How many tenures there were.
    pub(crate) tenures: usize,
    /// Shards taken over from an owner that was proven dead.
    pub(crate) proven: Gaps,
    /// Shards taken over from an owner that was silent for its whole lease.
    pub(crate) silent: Gaps,
    /// Shards handed over as planned.
    pub(crate) moves: Gaps,
    /// The overlaps; none, or the promise is broken.
    pub(crate) overlaps: Vec<Overlap>,
    /// Shards for which no member acts now, with the time since somebody did.
    pub(crate) waiting: Gaps,
}

/// How lives ended that did not end as planned, on the clock of the work logs.
#[derive(Clone, Debug, Default)]
pub(super) struct Endings(Vec<(MemberId, u64, Kind)>);

impl Endings {
    /// These closings of a show that began at `began`.
    pub(super) fn of(began: Moment, closings: &[Closing]) -> Self {
        let on_the_clock =
            |closing: &Closing| (closing.member.clone(), (began + closing.at).as_nanos(), closing.how);
        Self(closings.iter().map(on_the_clock).collect())
    }

    /// What the others waited for when the work of `member` acted last at `last`, and said no end: for whatever ended its
    /// life next. What is noticed is noticed late by a round at most, and dated to the beginning of it.
    fn after(&self, member: &MemberId, last: u64) -> Kind {
        let next = |(who, at, _): &&(MemberId, u64, Kind)| {
            who == member && at.saturating_add(QUIET.as_nanos() as u64) >= last
        };
        self.0.iter().find(next).map_or(Kind::Silence, |(_, _, how)| *how)
    }
}

impl Tally {
    /// Adds up the work logs, as of `now` in nanoseconds of boot time.
    pub(super) fn of(work_logs: &[(MemberId, Vec<Tenure>)], endings: &Endings, now: u64) -> Self {
        let mut shards: BTreeMap<ShardId, Vec<(&MemberId, Tenure)>> = BTreeMap::new();
        for (writer, tenures) in work_logs {
            for tenure in tenures {
                shards.entry(tenure.fence.shard).or_default().push((writer, *tenure));
            }
        }
        let mut tally = Self::default();
        shards.into_values().for_each(|tenures| tally.add(tenures, endings, now));
        tally.sorted()
    }

    fn add(&mut self, mut tenures: Vec<(&MemberId, Tenure)>, endings: &Endings, now: u64) {
        tenures.sort_by_key(|(_, tenure)| (tenure.fence.epoch, tenure.first));
        self.tenures += tenures.len();
        for pair in tenures.windows(2) {
            self.follow(pair[0], &pair[1].1, endings);
        }
        if let Some((_, last)) = tenures.last() {
            self.wait(last, now);
        }
    }

    fn follow(&mut self, (writer, earlier): (&MemberId, Tenure), later: &Tenure, endings: &Endings) {
        // One epoch in two processes is an overlap whatever their times.
        if earlier.fence.epoch == later.fence.epoch || earlier.last >= later.first {
            self.overlaps.push(Overlap { earlier: earlier.fence, later: later.fence });
            return;
        }
        let kind = if earlier.ended { Kind::Moves } else { endings.after(writer, earlier.last) };
        let gaps = match kind {
            Kind::Moves => &mut self.moves,
            Kind::Proof => &mut self.proven,
            Kind::Silence => &mut self.silent,
        };
        gaps.0.push(Duration::from_nanos(later.first - earlier.last));
    }

    fn wait(&mut self, last: &Tenure, now: u64) {
        let silent = Duration::from_nanos(now.saturating_sub(last.last));
        if last.ended || silent > QUIET {
            self.waiting.0.push(silent);
        }
    }

    fn sorted(mut self) -> Self {
        for gaps in [&mut self.proven, &mut self.silent, &mut self.moves, &mut self.waiting] {
            gaps.0.sort_unstable();
        }
        self
    }

    /// The longest time that a shard which had an owner was without one.
    pub(crate) fn longest(&self) -> Duration {
        let kinds = [&self.proven, &self.silent, &self.moves, &self.waiting];
        kinds.map(Gaps::longest).into_iter().max().unwrap_or_default()
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

    fn id(name: &str) -> MemberId {
        name.parse().unwrap()
    }

    /// Work logs of `ada`, `ben`, … in this order; a log without an end is that of a silent member.
    fn tally(work_logs: &[Vec<Tenure>], now: u64) -> Tally {
        let writers = ["ada", "ben"].map(id).into_iter().zip(work_logs.iter().cloned());
        Tally::of(&writers.collect::<Vec<_>>(), &Endings::default(), now)
    }

    #[test]
    fn an_owner_that_said_its_end_was_moved_and_one_that_did_not_was_failed_over() {
        let ada = vec![tenure(1, 1, 0, 100, true), tenure(2, 1, 0, 100, false)];
        let ben = vec![tenure(1, 2, 103, 500, false), tenure(2, 2, 150, 500, false)];
        let tally = tally(&[ada, ben], 500);
        assert_eq!(tally.moves, Gaps(vec![Duration::from_nanos(3)]));
        assert_eq!(tally.silent, Gaps(vec![Duration::from_nanos(50)]));
        assert_eq!((tally.tenures, tally.longest()), (4, Duration::from_nanos(50)));
        assert_eq!((tally.overlaps.len(), tally.waiting.count()), (0, 0));
    }

    #[test]
    fn what_followed_proof_and_what_followed_silence_are_counted_apart() {
        const SECOND: u64 = 1_000_000_000;
        let second = Duration::from_secs;
        // Ada is frozen at 1 s, deposed at 3 s, comes back, and is killed at 9 s.
        let ada = vec![tenure(1, 1, 0, SECOND, false), tenure(1, 3, 5 * SECOND, 9 * SECOND, false)];
        let ben = vec![
            tenure(1, 2, 3 * SECOND, 4 * SECOND, true),
            tenure(1, 4, 9 * SECOND + 7, 9 * SECOND + 8, false),
        ];
        let closing = |at, how| Closing { member: id("ada"), at: second(at), how };
        let closings = [closing(3, Kind::Silence), closing(9, Kind::Proof)];
        let endings = Endings::of(Moment::ZERO, &closings);
        let tally = Tally::of(&[(id("ada"), ada), (id("ben"), ben)], &endings, 9 * SECOND + 8);
        assert_eq!(tally.silent, Gaps(vec![second(2)]));
        assert_eq!(tally.proven, Gaps(vec![Duration::from_nanos(7)]));
        assert_eq!(tally.moves, Gaps(vec![second(1)]));
    }

    #[test]
    fn an_act_at_or_after_the_next_owners_first_is_an_overlap() {
        for last in [99, 100, 101] {
            let tally =
                tally(&[vec![tenure(1, 1, 0, last, false)], vec![tenure(1, 2, 100, 200, false)]], 200);
            assert_eq!(tally.overlaps.len(), usize::from(last >= 100), "{last}");
        }
    }

    #[test]
    fn an_epoch_that_two_processes_used_is_an_overlap() {
        let tally = tally(&[vec![tenure(1, 4, 0, 10, true)], vec![tenure(1, 4, 20, 30, true)]], 30);
        assert_eq!(tally.overlaps.len(), 1);
    }

    #[test]
    fn shards_have_nothing_to_do_with_each_other() {
        let tally = tally(&[vec![tenure(1, 1, 0, 100, false)], vec![tenure(2, 2, 50, 100, false)]], 100);
        assert_eq!(tally.overlaps, []);
    }

    #[test]
    fn a_shard_that_nobody_acts_for_counts_up_to_now() {
        let second = 1_000_000_000;
        let tally = tally(&[vec![tenure(1, 1, 0, 10, false), tenure(2, 1, 0, second, false)]], second + 10);
        assert_eq!((tally.waiting.count(), tally.longest()), (1, Duration::from_secs(1)));
    }
}
