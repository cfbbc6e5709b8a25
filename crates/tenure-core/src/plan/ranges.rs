//! Contiguous runs of shards, in the order of members, as far as few moves allow.
//!
//! A new cluster is cut into one run for each member. Later, a run that lost its home is first eaten from both ends by
//! the neighbours that have room, and the rest is cut for the others. A member with too much parts with its smallest
//! runs, then with an end of the next: the end beside what another parted with, so that the newcomer gets one run from
//! two members.

use super::draft::Draft;
use super::phases::{Manner, balanced};
use super::picture::Picture;
use super::placement::Places;

#[derive(Debug)]
pub(super) struct Ranges;

impl Places for Ranges {
    fn homes(&self, picture: &Picture<'_>) -> Vec<Option<u32>> {
        balanced(&mut Runs, picture)
    }
}

#[derive(Debug)]
struct Runs;

impl Manner for Runs {
    fn begin(&mut self, _: &Draft<'_>) {}

    fn part(&mut self, draft: &Draft<'_>, _: u32, held: &mut [u32], count: usize) {
        let mut runs: Vec<Vec<u32>> = runs(held).map(<[u32]>::to_vec).collect();
        runs.sort_by_key(Vec::len);
        cut_from_the_free_end(draft, &mut runs, count);
        for (shard, next) in held.iter_mut().zip(runs.into_iter().flatten()) {
            *shard = next;
        }
    }

    fn settle(&mut self, draft: &mut Draft<'_>, pool: &[u32]) {
        for run in runs(pool) {
            grow_neighbours(draft, run);
        }
        cut_for_the_others(draft, pool);
    }
}

/// The maximal runs of consecutive shards.
fn runs(shards: &[u32]) -> impl Iterator<Item = &[u32]> {
    shards.chunk_by(|one, next| one + 1 == *next)
}

/// Turns the run in which the count ends so that its free end is parted with: the left one if something free lies to
/// the left of it, else the right one.
fn cut_from_the_free_end(draft: &Draft<'_>, runs: &mut [Vec<u32>], count: usize) {
    let mut left = count;
    for run in runs {
        if left < run.len() {
            if !is_free(draft, run[0].checked_sub(1)) {
                run.reverse();
            }
            return;
        }
        left -= run.len();
    }
}

/// Whether a shard is, or will be, somebody's who takes more.
fn is_free(draft: &Draft<'_>, shard: Option<u32>) -> bool {
    shard.is_some_and(|shard| draft.home(shard).is_none_or(|home| draft.has_room(home)))
}

/// The owners to the left and to the right of a homeless run take what they can of it.
fn grow_neighbours(draft: &mut Draft<'_>, run: &[u32]) {
    let left = run[0].checked_sub(1).and_then(|shard| draft.home(shard));
    extend(draft, left, run.iter());
    let after = run[run.len() - 1] as usize + 1;
    let right = draft.homes.get(after).copied().flatten();
    extend(draft, right, run.iter().rev());
}

fn extend<'a>(draft: &mut Draft<'_>, taker: Option<u32>, shards: impl Iterator<Item = &'a u32>) {
    let Some(taker) = taker else { return };
    for &shard in shards {
        if draft.home(shard).is_some() || !draft.takes(taker, shard) {
            return;
        }
        draft.give(shard, taker);
    }
}

/// What is left goes to those with room, one after the other.
fn cut_for_the_others(draft: &mut Draft<'_>, pool: &[u32]) {
    let takers = draft.takers().to_vec();
    let mut first = 0;
    for &shard in pool {
        first += takers[first..].iter().take_while(|&&taker| !draft.has_room(taker)).count();
        let taker = takers[first..].iter().find(|&&taker| draft.takes(taker, shard)).copied();
        if let Some(taker) = taker.filter(|_| draft.home(shard).is_none()) {
            draft.give(shard, taker);
        }
    }
}
