//! Finding the member that suits a shard best.
//!
//! Among members of one weight the best score wins, so they run in one heat: plain integers, no logarithm, a loop that
//! vectorises. Only the winners of the heats are compared by weight.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::score::{Mark, lateness};

/// Scores are looked at by so many; only the best stretch is looked at twice, to find who it was.
const STRETCH: usize = 64;

/// Those who may win a shard, by weight.
#[derive(Debug, Default)]
pub(super) struct Race {
    heats: Vec<Heat>,
}

/// One who may win.
#[derive(Clone, Copy, Debug)]
pub(super) struct Runner {
    pub(super) who: u32,
    pub(super) weight: u64,
    pub(super) mark: Mark,
}

/// Those of one weight: ascending, marks in columns.
#[derive(Debug, Default)]
struct Heat {
    weight: u64,
    who: Vec<u32>,
    left: Vec<u32>,
    right: Vec<u32>,
}

impl Race {
    /// A race of runners in ascending order.
    pub(super) fn new(runners: impl Iterator<Item = Runner>) -> Self {
        let mut heats = BTreeMap::new();
        for runner in runners {
            let heat: &mut Heat = heats.entry(runner.weight).or_default();
            heat.enter(runner);
        }
        Self { heats: heats.into_values().collect() }
    }

    /// Who suits the shard best; the lowest of those who suit it equally.
    pub(super) fn winner(&self, shard: Mark) -> Option<u32> {
        match &self.heats[..] {
            [] => None,
            [only] => Some(only.best(shard).0),
            several => several.iter().map(|heat| heat.finish(shard)).min().map(|finish| finish.who),
        }
    }

    /// Takes somebody out.
    pub(super) fn leave(&mut self, who: u32, weight: u64) {
        let Ok(at) = self.heats.binary_search_by_key(&weight, |heat| heat.weight) else { return };
        self.heats[at].leave(who);
        if self.heats[at].who.is_empty() {
            self.heats.remove(at);
        }
    }
}

impl Heat {
    fn enter(&mut self, runner: Runner) {
        self.weight = runner.weight;
        self.who.push(runner.who);
        self.left.push(runner.mark.left);
        self.right.push(runner.mark.right);
    }

    fn leave(&mut self, who: u32) {
        if let Ok(at) = self.who.binary_search(&who) {
            self.who.remove(at);
            self.left.remove(at);
            self.right.remove(at);
        }
    }

    fn finish(&self, shard: Mark) -> Finish {
        let (who, score) = self.best(shard);
        Finish { lateness: lateness(score), weight: self.weight, who }
    }

    /// The best score and whose it is; the first of equals.
    fn best(&self, shard: Mark) -> (u32, i32) {
        let (mut best, mut from) = (i32::MIN, 0);
        let stretches = self.left.chunks(STRETCH).zip(self.right.chunks(STRETCH));
        for (number, (left, right)) in stretches.enumerate() {
            let score = highest(left, right, shard);
            if score > best {
                (best, from) = (score, number * STRETCH);
            }
        }
        let mine = |at: &usize| Mark { left: self.left[*at], right: self.right[*at] }.meet(shard) == best;
        let at = (from..self.who.len()).find(mine).unwrap_or(from);
        (self.who[at], best)
    }
}

#[inline(always)]
fn highest(left: &[u32], right: &[u32], shard: Mark) -> i32 {
    let score = |(&left, &right)| Mark { left, right }.meet(shard);
    left.iter().zip(right).map(score).fold(i32::MIN, i32::max)
}

/// When the best of a heat arrives: its lateness divided by its weight.
#[derive(PartialEq, Eq)]
struct Finish {
    lateness: u64,
    weight: u64,
    who: u32,
}

impl Ord for Finish {
    fn cmp(&self, other: &Self) -> Ordering {
        let scaled = |lateness: u64, weight: u64| u128::from(lateness) * u128::from(weight);
        scaled(self.lateness, other.weight)
            .cmp(&scaled(other.lateness, self.weight))
            .then(self.who.cmp(&other.who))
    }
}

impl PartialOrd for Finish {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
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
    fn the_columns_find_the_same_winner_as_looking_at_each_in_turn() {
        let names = names("n", 200);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let race = race(&names, |_| 1);
        for shard in (0..1_000).map(Mark::of_shard) {
            let score = |who: &usize| Mark::of_member(&names[*who].parse().unwrap()).meet(shard);
            let slow = (0..200).rev().max_by_key(score).unwrap();
            assert_eq!(race.winner(shard), Some(slow as u32));
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
