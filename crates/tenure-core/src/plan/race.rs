//! Finding the member that suits a shard best.
//!
//! A runner arrives at lateness ÷ weight, and the first to arrive wins. Marks are kept in columns, the heaviest runners
//! first, and scores are looked at by the stretch, in a loop that vectorises. A stretch whose best score is no better
//! than the leader's can't win, for nobody in it weighs more: so equal weights never need a logarithm, and a thousand
//! different ones need a handful.

use std::cmp::Reverse;
use std::ops::Range;

use super::score::{Mark, lateness};

/// Runners looked at together. Only the stretch of the winner is looked at twice, to find who it was.
const STRETCH: usize = 64;

/// Those who may win a shard: the heaviest first, then ascending.
#[derive(Debug, Default)]
pub(super) struct Race {
    who: Vec<u32>,
    weight: Vec<u64>,
    left: Vec<u32>,
    right: Vec<u32>,
}

/// One who may win.
#[derive(Clone, Copy, Debug)]
pub(super) struct Runner {
    pub(super) who: u32,
    pub(super) weight: u64,
    pub(super) mark: Mark,
}

/// The first so far: somewhere after `from`.
#[derive(Clone, Copy)]
struct Leader {
    score: i32,
    weight: u64,
    from: usize,
}

impl Race {
    pub(super) fn new(runners: impl Iterator<Item = Runner>) -> Self {
        let mut runners: Vec<Runner> = runners.collect();
        runners.sort_unstable_by_key(|runner| (Reverse(runner.weight), runner.who));
        Self {
            who: runners.iter().map(|runner| runner.who).collect(),
            weight: runners.iter().map(|runner| runner.weight).collect(),
            left: runners.iter().map(|runner| runner.mark.left).collect(),
            right: runners.iter().map(|runner| runner.mark.right).collect(),
        }
    }

    /// Who suits the shard best; of those who suit it equally the heaviest, then the lowest.
    pub(super) fn winner(&self, shard: Mark) -> Option<u32> {
        let heaviest = *self.weight.first()?;
        let mut leader = Leader { score: i32::MIN, weight: heaviest, from: 0 };
        let stretches = self.left.chunks(STRETCH).zip(self.right.chunks(STRETCH));
        for (number, (left, right)) in stretches.enumerate() {
            let best = highest(left, right, shard);
            if best > leader.score {
                leader = self.overtake(leader, number * STRETCH, best, shard);
            }
        }
        self.find(leader, shard)
    }

    /// The leader after the stretch that begins at `from`, in which somebody scored higher. Nobody there weighs more than
    /// its first, so the best score with that weight is as early as anyone there can be.
    #[inline(always)]
    fn overtake(&self, leader: Leader, from: usize, best: i32, shard: Mark) -> Leader {
        let challenger = Leader { score: best, weight: self.weight[from], from };
        if !challenger.beats(leader) {
            return leader;
        }
        let end = (from + STRETCH).min(self.who.len());
        if self.weight[end - 1] == challenger.weight {
            return challenger;
        }
        self.overtake_one_by_one(leader, from..end, shard)
    }

    /// The same for a stretch of different weights, in which it matters who scored.
    fn overtake_one_by_one(&self, mut leader: Leader, stretch: Range<usize>, shard: Mark) -> Leader {
        for at in stretch {
            let challenger = Leader { score: self.score(at, shard), weight: self.weight[at], from: at };
            if challenger.score > leader.score && challenger.beats(leader) {
                leader = challenger;
            }
        }
        leader
    }

    fn find(&self, leader: Leader, shard: Mark) -> Option<u32> {
        let at = (leader.from..self.who.len()).find(|&at| self.score(at, shard) == leader.score)?;
        Some(self.who[at])
    }

    fn score(&self, at: usize, shard: Mark) -> i32 {
        Mark { left: self.left[at], right: self.right[at] }.meet(shard)
    }

    /// Takes somebody out.
    pub(super) fn leave(&mut self, who: u32, weight: u64) {
        let heavier = self.weight.partition_point(|&other| other > weight);
        let alike = self.weight.partition_point(|&other| other >= weight);
        let Ok(at) = self.who[heavier..alike].binary_search(&who) else { return };
        self.who.remove(heavier + at);
        self.weight.remove(heavier + at);
        self.left.remove(heavier + at);
        self.right.remove(heavier + at);
    }
}

impl Leader {
    /// Whether it arrives earlier: less lateness for its weight.
    fn beats(self, other: Self) -> bool {
        if self.weight == other.weight {
            return self.score > other.score;
        }
        let time = |of: Self, scaled: u64| u128::from(lateness(of.score)) * u128::from(scaled);
        time(self, other.weight) < time(other, self.weight)
    }
}

#[inline(always)]
fn highest(left: &[u32], right: &[u32], shard: Mark) -> i32 {
    let score = |(&left, &right)| Mark { left, right }.meet(shard);
    left.iter().zip(right).map(score).fold(i32::MIN, i32::max)
}

#[cfg(test)]
mod tests {
    use super::super::sample::names;
    use super::*;

    fn race(names: &[&str], weight: impl Fn(usize) -> u64) -> Race {
        let mark = |name: &str| Mark::of_member(&name.parse().unwrap());
        let runner =
            |(at, name): (usize, &&str)| Runner { who: at as u32, weight: weight(at), mark: mark(name) };
        Race::new(names.iter().enumerate().map(runner))
    }

    fn wins(race: &Race, members: usize, shards: u32) -> Vec<u32> {
        let mut wins = vec![0; members];
        for shard in 0..shards {
            wins[race.winner(Mark::of_shard(shard)).unwrap() as usize] += 1;
        }
        wins
    }

    #[test]
    fn numbered_names_win_alike_even_before_quotas_even_them_out() {
        for prefix in ["name", "web", "orders-worker", "a", "POD.x_y"] {
            for members in [2, 3, 5, 9, 33] {
                let names = names(prefix, members);
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let expected = 100_000.0 / members as f64;
                for wins in wins(&race(&names, |_| 1), members, 100_000) {
                    let sigmas = (f64::from(wins) - expected).abs() / expected.sqrt();
                    assert!(sigmas < 5.0, "{prefix}: {wins} wins of {expected} expected");
                }
            }
        }
    }

    #[test]
    fn three_times_the_weight_wins_three_times_as_often() {
        let wins = wins(&race(&["a", "b"], |at| 1 + 2 * at as u64), 2, 100_000);
        assert!((24_500..25_500).contains(&wins[0]), "{wins:?}");
    }

    #[test]
    fn many_weights_win_in_proportion() {
        let names = names("n", 10);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let wins = wins(&race(&names, |at| 1 + at as u64), 10, 110_000);
        for (at, wins) in wins.into_iter().enumerate() {
            let expected = 2_000.0 * (at + 1) as f64;
            assert!(
                (f64::from(wins) - expected).abs() / expected.sqrt() < 5.0,
                "{wins} wins of {expected} expected"
            );
        }
    }

    /// The winner by looking at each in turn.
    fn slow_winner(race: &Race, shard: Mark) -> u32 {
        let runner = |from: usize| Leader { score: race.score(from, shard), weight: race.weight[from], from };
        let first = |one: Leader, other: Leader| if other.beats(one) { other } else { one };
        race.who[(0..race.who.len()).map(runner).reduce(first).unwrap().from]
    }

    #[test]
    fn the_columns_find_the_same_winner_as_looking_at_each_in_turn() {
        let names = names("n", 300);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let weights: [fn(usize) -> u64; 5] = [
            |_| 1,
            |at| 1 + at as u64 % 2,
            |at| 1 + at as u64 / 100,
            |at| 1 + at as u64,
            |at| 1 << (at % 32),
        ];
        for race in weights.map(|weight| race(&names, weight)) {
            for shard in (0..1_000).map(Mark::of_shard) {
                assert_eq!(race.winner(shard), Some(slow_winner(&race, shard)));
            }
        }
    }

    #[test]
    fn who_left_wins_nothing() {
        let mut race = race(&["a", "b"], |at| 1 + at as u64);
        race.leave(0, 1);
        assert_eq!(wins(&race, 2, 100), [0, 100]);
        race.leave(1, 2);
        assert_eq!(race.winner(Mark::of_shard(0)), None);
    }
}
