//! Consistent hashing: members have points on a circle, and a shard goes to the owner of the next point who has room.
//!
//! A member with too much parts with the shards that lie closest before a taker's point: those are the ones that the
//! taker would have had, had it been there from the start.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::draft::Draft;
use super::phases::{Manner, balanced};
use super::picture::Picture;
use super::placement::Places;

/// Points of a member of average weight. Quotas even out what points leave uneven, so more would only cost time.
const POINTS: u128 = 64;
/// Points of the heaviest, lest one giant fill the memory.
const POINTS_AT_MOST: u128 = 4_096;

#[derive(Debug)]
pub(super) struct Ring;

impl Places for Ring {
    fn homes(&self, picture: &Picture<'_>) -> Vec<Option<u32>> {
        balanced(&mut Circle::default(), picture)
    }
}

/// The points of those with room, ascending.
#[derive(Debug, Default)]
struct Circle {
    points: Vec<(u64, u32)>,
    /// For each point one further on, such that all points from here to there belong to members without room.
    further: Vec<u32>,
    nearness: Vec<(u64, u32)>,
}

impl Manner for Circle {
    fn begin(&mut self, draft: &Draft<'_>) {
        self.points = draft.takers().iter().flat_map(|&taker| points(draft, taker)).collect();
        self.points.sort_unstable();
        let count = self.points.len() as u32;
        self.further = (1..=count).map(|next| next % count).collect();
    }

    fn part(&mut self, _: &Draft<'_>, _: u32, held: &mut [u32], count: usize) {
        if count == 0 || count == held.len() {
            return;
        }
        let mut nearness = std::mem::take(&mut self.nearness);
        nearness.clear();
        nearness.extend(held.iter().map(|&shard| (self.distance(shard), shard)));
        nearness.select_nth_unstable(count);
        for (shard, near) in held.iter_mut().zip(&nearness) {
            *shard = near.1;
        }
        self.nearness = nearness;
    }

    fn settle(&mut self, draft: &mut Draft<'_>, pool: &[u32]) {
        for &shard in pool {
            let next = self.next_with_room(draft, shard);
            let willing = next.filter(|&taker| draft.refusals.allow(taker, shard));
            if let Some(taker) = willing.or_else(|| self.next_willing(draft, shard)) {
                draft.give(shard, taker);
            }
        }
    }
}

impl Circle {
    /// The number of the first point at or after the shard's place.
    fn successor(&self, shard: u32) -> usize {
        let place = place(shard);
        self.points.partition_point(|point| point.0 < place) % self.points.len()
    }

    fn distance(&self, shard: u32) -> u64 {
        self.points[self.successor(shard)].0.wrapping_sub(place(shard))
    }

    /// Walks until there is room, then shortens the way for those who come later. There is room for all of a pool, so
    /// the walk ends; should that ever be untrue, it ends after one round.
    fn next_with_room(&mut self, draft: &Draft<'_>, shard: u32) -> Option<u32> {
        if self.points.is_empty() {
            return None;
        }
        let start = self.successor(shard);
        let mut at = start;
        for _ in 0..self.points.len() {
            if draft.has_room(self.points[at].1) {
                self.shorten(start, at);
                return Some(self.points[at].1);
            }
            at = self.further[at] as usize;
        }
        None
    }

    fn shorten(&mut self, start: usize, end: usize) {
        let mut at = start;
        while at != end {
            at = std::mem::replace(&mut self.further[at], end as u32) as usize;
        }
    }

    /// The slow way, for a shard that the next one must not be given. There are far fewer takers than points, so it
    /// is worth asking first whether anyone is willing.
    fn next_willing(&self, draft: &Draft<'_>, shard: u32) -> Option<u32> {
        if !draft.takers().iter().any(|&taker| draft.takes(taker, shard)) {
            return None;
        }
        let start = self.successor(shard);
        let round = self.points[start..].iter().chain(&self.points[..start]);
        round.map(|point| point.1).find(|&taker| draft.takes(taker, shard))
    }
}

/// Where a shard lies on the circle.
fn place(shard: u32) -> u64 {
    xxh3_64(&shard.to_le_bytes())
}

/// The points of a candidate: more weight, more points; the same ones first.
fn points(draft: &Draft<'_>, who: u32) -> impl Iterator<Item = (u64, u32)> {
    let id = draft.candidates[who as usize].id.as_str().as_bytes();
    (1..=point_count(draft, who)).map(move |number| (xxh3_64_with_seed(id, number), who))
}

fn point_count(draft: &Draft<'_>, who: u32) -> u64 {
    let sum: u64 = draft.candidates.iter().map(|candidate| candidate.share()).sum();
    let share = POINTS * u128::from(draft.balance.weight(who)) * draft.candidates.len() as u128;
    (share / u128::from(sum)).clamp(1, POINTS_AT_MOST) as u64
}
