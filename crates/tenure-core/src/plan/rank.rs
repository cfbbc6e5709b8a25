//! Who goes first.
//!
//! Many members could do the same thing, such as write a page. Each thing has its own order of members, known to all
//! without asking, so that normally the first does it and the others find it done; and different things have different
//! first members, so that no member does everything.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::ids::MemberId;

/// The position of `me` in the order of `ids` for `thing` (such as a record's key); 0 goes first. If `me` is not among
/// them: the position that it would have.
pub fn rank<'a>(thing: &str, me: &MemberId, ids: impl IntoIterator<Item = &'a MemberId>) -> u32 {
    let seed = xxh3_64(thing.as_bytes());
    let place = |id: &'a MemberId| (xxh3_64_with_seed(id.as_str().as_bytes(), seed), id);
    let mine = (xxh3_64_with_seed(me.as_str().as_bytes(), seed), me);
    ids.into_iter().filter(|&id| place(id) > mine).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(count: u32) -> Vec<MemberId> {
        (0..count).map(|n| format!("name-{n}").parse().unwrap()).collect()
    }

    #[test]
    fn every_member_has_its_own_rank() {
        let ids = ids(9);
        let mut ranks: Vec<u32> = ids.iter().map(|me| rank("ledger/0", me, &ids)).collect();
        ranks.sort_unstable();
        assert_eq!(ranks, (0..9).collect::<Vec<_>>());
    }

    #[test]
    fn who_leaves_moves_the_later_ones_up_and_nobody_else() {
        let all = ids(9);
        for gone in 0..9 {
            let rest: Vec<_> =
                all.iter().enumerate().filter(|(n, _)| *n != gone).map(|(_, id)| id.clone()).collect();
            let freed = rank("ledger/3", &all[gone], &all);
            for me in &rest {
                let before = rank("ledger/3", me, &all);
                assert_eq!(rank("ledger/3", me, &rest), before - u32::from(before > freed));
            }
        }
    }

    #[test]
    fn the_first_place_is_shared_out_among_things() {
        let ids = ids(5);
        let mut firsts = [0; 5];
        for page in 0..1_000 {
            let first = ids.iter().position(|me| rank(&format!("ledger/{page}"), me, &ids) == 0).unwrap();
            firsts[first] += 1;
        }
        assert!(firsts.iter().all(|&count| (150..250).contains(&count)), "{firsts:?}");
    }

    #[test]
    fn a_stranger_gets_the_rank_that_it_would_have() {
        let all = ids(5);
        assert_eq!(rank("x", &all[2], &all), rank("x", &all[2], all.iter().filter(|id| **id != all[2])));
    }
}
