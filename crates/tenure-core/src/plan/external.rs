//! Someone else says who should own what, such as a consumer group; ownership still goes through the ledger.
//!
//! A shard goes to the candidate that wants it. Several want it: its home, if it is one of them (during a change of
//! hands both may want it, and nothing is won by moving early), else the lowest id. Nobody wants it: it stays where it
//! is, or nobody's.

use super::picture::Picture;
use super::placement::Places;
use super::refusals::Refusals;

#[derive(Debug)]
pub(super) struct External;

impl Places for External {
    fn homes(&self, picture: &Picture<'_>) -> Vec<Option<u32>> {
        let mut wanted = wanted(picture);
        for (shard, home) in wanted.iter_mut().enumerate() {
            *home = home.or_else(|| picture.home(shard));
        }
        wanted
    }

    fn evens_out(&self) -> bool {
        false
    }
}

/// For each shard the candidate that wants it: one that does not avoid it, if there is one.
fn wanted(picture: &Picture<'_>) -> Vec<Option<u32>> {
    let refusals = Refusals::new(picture);
    let mut wanted = wanted_by(picture, |index, shard| refusals.allow(index, shard));
    // Who failed to start it and is the only one to want it tries again: nobody else is going to.
    let anyway = wanted_by(picture, |_, _| true);
    for (shard, home) in wanted.iter_mut().enumerate() {
        *home = home.or(anyway[shard]);
    }
    wanted
}

fn wanted_by(picture: &Picture<'_>, may: impl Fn(u32, u32) -> bool) -> Vec<Option<u32>> {
    let mut wanted = vec![None; picture.homes.len()];
    for (index, candidate) in (0_u32..).zip(picture.candidates) {
        let mine =
            candidate.wants.iter().map(|shard| shard.0).filter(|&shard| (shard as usize) < wanted.len());
        let mine: Vec<u32> = mine.filter(|&shard| may(index, shard)).collect();
        for shard in mine.into_iter().map(|shard| shard as usize) {
            let first = wanted[shard].is_none();
            if first || picture.home(shard) == Some(index) {
                wanted[shard] = Some(index);
            }
        }
    }
    wanted
}

#[cfg(test)]
mod tests {
    use super::super::sample::{member, picture};
    use super::super::{Candidate, Placement, plan};
    use crate::ids::ShardId;

    fn wanting(id: &str, wants: &[u32]) -> Candidate {
        Candidate { wants: wants.iter().copied().map(ShardId).collect(), ..member(id) }
    }

    fn planned(candidates: &[Candidate], homes: &[Option<u32>]) -> Vec<Option<u32>> {
        plan(Placement::External, &picture(candidates, homes))
    }

    #[test]
    fn a_shard_goes_to_the_one_who_wants_it() {
        let candidates = [wanting("a", &[1]), wanting("b", &[0])];
        assert_eq!(planned(&candidates, &[Some(0), None]), [Some(1), Some(0)]);
    }

    #[test]
    fn the_lowest_id_wins_where_several_want_a_shard() {
        let candidates = [wanting("a", &[]), wanting("b", &[0]), wanting("c", &[0])];
        assert_eq!(planned(&candidates, &[Some(0)]), [Some(1)]);
        assert_eq!(planned(&candidates, &[None]), [Some(1)]);
    }

    #[test]
    fn a_home_that_still_wants_its_shard_keeps_it() {
        let candidates = [wanting("a", &[0]), wanting("b", &[0])];
        assert_eq!(planned(&candidates, &[Some(1)]), [Some(1)]);
    }

    #[test]
    fn what_nobody_wants_stays_where_it_is_or_nobodys() {
        let candidates = [wanting("a", &[]), wanting("b", &[])];
        assert_eq!(planned(&candidates, &[Some(1), None]), [Some(1), None]);
    }

    #[test]
    fn a_wish_for_a_shard_that_does_not_exist_is_no_wish() {
        assert_eq!(planned(&[wanting("a", &[7])], &[None]), [None]);
    }

    #[test]
    fn who_wants_and_avoids_a_shard_is_passed_over() {
        let mut candidates = [wanting("a", &[0]), wanting("b", &[0])];
        candidates[0].avoids = vec![ShardId(0)];
        assert_eq!(planned(&candidates, &[None]), [Some(1)]);
    }

    #[test]
    fn who_alone_wants_a_shard_gets_it_though_it_failed_there() {
        let mut candidates = [wanting("a", &[0]), wanting("b", &[])];
        candidates[0].avoids = vec![ShardId(0)];
        assert_eq!(planned(&candidates, &[None]), [Some(0)]);
    }
}
