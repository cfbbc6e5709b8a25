//! The epochs that a member has ended, as its record says them: runs of neighbouring shards that share an epoch.
//!
//! A member that leaves may release a hundred thousand shards. Said one by one they outgrow what a store takes; their epochs
//! are mostly the same, so runs are short. `[7,4]` is shard 7 at epoch 4, `[0,99,4]` are the shards 0 to 99.

use std::ops::RangeInclusive;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::NUMBER_MAX;
use crate::ids::{Epoch, ShardId};

/// Neighbouring shards at one epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Run {
    epoch: Epoch,
    first: u32,
    last: u32,
}

/// Epochs that a member has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Released {
    /// In order, and none touches the next.
    runs: Vec<Run>,
}

impl Released {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Whether `epoch` of `shard` is among them.
    pub fn has(&self, shard: ShardId, epoch: Epoch) -> bool {
        let after = self.runs.partition_point(|run| (run.epoch, run.first) <= (epoch, shard.0));
        after.checked_sub(1).is_some_and(|before| {
            let run = self.runs[before];
            run.epoch == epoch && run.last >= shard.0
        })
    }

    /// Neighbouring shards and their epoch, in order.
    pub fn runs(&self) -> impl Iterator<Item = (RangeInclusive<u32>, Epoch)> {
        self.runs.iter().map(|run| (run.first..=run.last, run.epoch))
    }

    /// Each of them, one by one: there may be very many.
    pub fn iter(&self) -> impl Iterator<Item = (ShardId, Epoch)> + '_ {
        self.runs().flat_map(|(shards, epoch)| shards.map(move |shard| (ShardId(shard), epoch)))
    }

    /// All of these, and more.
    #[must_use]
    pub fn with(&self, more: impl IntoIterator<Item = (ShardId, Epoch)>) -> Self {
        let more: Self = more.into_iter().collect();
        Self::of(self.runs.iter().chain(&more.runs).copied().collect())
    }

    /// The first `runs` of them, and no more.
    #[must_use]
    pub fn portion(mut self, runs: usize) -> Self {
        self.runs.truncate(runs);
        self
    }

    fn of(mut runs: Vec<Run>) -> Self {
        runs.sort_unstable();
        let mut merged: Vec<Run> = Vec::with_capacity(runs.len());
        for run in runs {
            match merged.last_mut().filter(|last| last.epoch == run.epoch) {
                Some(last) if run.first <= last.last.saturating_add(1) => last.last = last.last.max(run.last),
                _ => merged.push(run),
            }
        }
        Self { runs: merged }
    }
}

impl FromIterator<(ShardId, Epoch)> for Released {
    fn from_iter<I: IntoIterator<Item = (ShardId, Epoch)>>(all: I) -> Self {
        let run = |(shard, epoch): (ShardId, Epoch)| Run { epoch, first: shard.0, last: shard.0 };
        Self::of(all.into_iter().map(run).collect())
    }
}

impl Serialize for Released {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let spelled = self.runs.iter().map(|run| match run.first == run.last {
            true => Spelled::One(run.first, run.epoch),
            false => Spelled::Many(run.first, run.last, run.epoch),
        });
        serializer.collect_seq(spelled)
    }
}

impl<'de> Deserialize<'de> for Released {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spelled = Vec::<Spelled>::deserialize(deserializer)?;
        let runs = spelled.into_iter().map(Run::try_from).collect::<Result<_, _>>();
        runs.map(Self::of).map_err(D::Error::custom)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Spelled {
    One(u32, Epoch),
    Many(u32, u32, Epoch),
}

impl TryFrom<Spelled> for Run {
    type Error = &'static str;

    fn try_from(spelled: Spelled) -> Result<Self, &'static str> {
        let (first, last, epoch) = match spelled {
            Spelled::One(shard, epoch) => (shard, shard, epoch),
            Spelled::Many(first, last, epoch) => (first, last, epoch),
        };
        match () {
            () if epoch.0 > NUMBER_MAX => Err("a released epoch is out of range"),
            () if first > last => Err("a run of released shards ends before it begins"),
            () => Ok(Self { epoch, first, last }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Released, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn neighbours_at_one_epoch_are_said_together() {
        let all =
            [(3, 1), (1, 1), (2, 1), (2, 5), (9, 1)].map(|(shard, epoch)| (ShardId(shard), Epoch(epoch)));
        let released: Released = all.into_iter().collect();
        assert_eq!(serde_json::to_string(&released).unwrap(), "[[1,3,1],[9,1],[2,5]]");
        assert!(all.iter().all(|(shard, epoch)| released.has(*shard, *epoch)));
        for (shard, epoch) in [(0, 1), (4, 1), (8, 1), (10, 1), (1, 5), (3, 5), (2, 2)] {
            assert!(!released.has(ShardId(shard), Epoch(epoch)), "{shard} at {epoch}");
        }
    }

    #[test]
    fn runs_that_overlap_or_are_said_twice_are_one() {
        assert_eq!(read("[[5,9,2],[7,2],[8,12,2],[5,2]]").unwrap(), read("[[5,12,2]]").unwrap());
        let all = read(&format!("[[0,{max},1],[{max},1]]", max = u32::MAX)).unwrap();
        assert_eq!(all.runs().count(), 1);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for text in
            ["[[9,3,1]]", "[[1]]", "[[1,2,3,4]]", "[[-1,2]]", "[[1,9007199254740992]]", "[[4294967296,1]]"]
        {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_portion_is_the_first_of_them() {
        let released = read("[[0,9,1],[20,1],[4,2]]").unwrap();
        assert_eq!(released.clone().portion(2), read("[[0,9,1],[20,1]]").unwrap());
        assert_eq!(released.clone().portion(3), released);
    }
}
