//! Shards as ranges, spelled `0-3,7`: few bytes for many shards.
//!
//! What holds once a text was read: every range begins before it ends, and each lies after the one before. So nobody who walks
//! along them, or cuts a page by them, meets a range that is backwards, overlaps another or makes the work grow.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ids::ShardId;

/// Some shards, as ranges: ascending, and none of them overlap.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Ranges(Vec<(u32, u32)>);

/// A text that names no ranges in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected ranges of shards in order, such as 0-3,7")]
pub struct RangesError;

impl Ranges {
    /// These shards, in whatever order they come.
    pub fn of(shards: impl IntoIterator<Item = ShardId>) -> Self {
        let mut shards: Vec<u32> = shards.into_iter().map(|ShardId(shard)| shard).collect();
        shards.sort_unstable();
        shards.dedup();
        let runs = shards.chunk_by(|one, next| one.checked_add(1) == Some(*next));
        Self(runs.map(|run| (run[0], run[run.len() - 1])).collect())
    }

    /// The ranges, each from its first shard to its last.
    pub fn runs(&self) -> impl ExactSizeIterator<Item = (u32, u32)> + '_ {
        self.0.iter().copied()
    }

    /// Whether `shard` is one of them.
    pub fn contains(&self, shard: ShardId) -> bool {
        let after = self.0.partition_point(|(first, _)| *first <= shard.0);
        after.checked_sub(1).is_some_and(|at| shard.0 <= self.0[at].1)
    }

    /// How many bytes they are spelled with.
    pub(super) fn bytes(&self) -> usize {
        let commas = self.0.len().saturating_sub(1);
        self.runs().map(|run| spelled(run).len()).sum::<usize>() + commas
    }

    /// At most `bytes` of them, the last ones left out.
    pub fn cut(&mut self, bytes: usize) {
        let mut spent = 0;
        let mut fits = |run: &(u32, u32)| {
            spent += spelled(*run).len() + usize::from(spent > 0);
            spent <= bytes
        };
        let kept = self.0.iter().take_while(|run| fits(run)).count();
        self.0.truncate(kept);
    }
}

impl fmt::Display for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, run) in self.runs().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(f, "{comma}{}", spelled(run))?;
        }
        Ok(())
    }
}

impl FromStr for Ranges {
    type Err = RangesError;

    fn from_str(text: &str) -> Result<Self, RangesError> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        let runs: Vec<(u32, u32)> = text.split(',').map(run).collect::<Result<_, _>>()?;
        let in_order = runs.iter().all(|(first, last)| first <= last)
            && runs.windows(2).all(|pair| pair[0].1 < pair[1].0);
        if in_order { Ok(Self(runs)) } else { Err(RangesError) }
    }
}

impl Serialize for Ranges {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Ranges {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

fn spelled((first, last): (u32, u32)) -> String {
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

fn run(text: &str) -> Result<(u32, u32), RangesError> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |digits: &str| match digits.bytes().all(|byte| byte.is_ascii_digit()) {
        true => digits.parse::<u32>().map_err(|_| RangesError),
        false => Err(RangesError),
    };
    Ok((number(first)?, number(last)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_spelled_as_ranges_and_found_in_them() {
        let ranges = Ranges::of([10, 0, 1, 2, 3, 7, 9, 10].map(ShardId));
        assert_eq!(ranges.to_string(), "0-3,7,9-10");
        assert_eq!(ranges.bytes(), ranges.to_string().len());
        assert_eq!("0-3,7,9-10".parse(), Ok(ranges.clone()));
        let found: Vec<u32> = (0..12).filter(|shard| ranges.contains(ShardId(*shard))).collect();
        assert_eq!(found, [0, 1, 2, 3, 7, 9, 10]);
        assert!(!Ranges::of([]).contains(ShardId(0)));
        assert!(Ranges::of([ShardId(u32::MAX)]).contains(ShardId(u32::MAX)));
    }

    #[test]
    fn what_is_not_in_order_is_refused() {
        for text in [
            "-",
            "x",
            "1-",
            "1-x",
            "5-3",
            ",,",
            "99999999999",
            "9-3",
            "4,3",
            "1-5,5-9",
            "3,3",
            "0-4,2-3",
            "+1",
            " 1",
            "1,",
            "0-4294967296",
        ] {
            assert_eq!(text.parse::<Ranges>(), Err(RangesError), "{text}");
        }
    }

    #[test]
    fn ranges_are_cut_between_two_of_them() {
        let mut ranges = Ranges::of((0..2000).step_by(2).map(ShardId));
        ranges.cut(20);
        assert_eq!(ranges.to_string(), "0,2,4,6,8,10,12,14");
        ranges.cut(0);
        assert_eq!(ranges, Ranges::default());
    }
}
