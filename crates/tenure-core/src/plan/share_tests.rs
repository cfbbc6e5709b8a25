//! Everybody gets its share.

use proptest::prelude::*;

use super::sample::*;
use super::{Candidate, Picture, Placement, plan};

fn assert_within_a_twentieth_of_the_mean(homes: &[Option<u32>], candidates: &[Candidate]) {
    let weights: u64 = candidates.iter().map(|candidate| u64::from(candidate.weight)).sum();
    for (load, candidate) in loads(homes, candidates.len()).into_iter().zip(candidates) {
        let mean_scaled = homes.len() as u64 * u64::from(candidate.weight) * 105;
        assert!(load * weights * 100 <= mean_scaled, "{}: {load} of {}", candidate.id, homes.len());
    }
}

#[test]
fn numbered_names_are_balanced_from_twenty_shards_each() {
    for placement in BALANCING {
        for count in 2..=40 {
            for shards in [20 * count, 20 * count + 1, 21 * count - 1, 64 * count + 7] {
                let candidates = members(count);
                assert_within_a_twentieth_of_the_mean(&fresh(placement, &candidates, shards), &candidates);
            }
        }
    }
}

#[test]
fn odd_names_are_balanced_as_well() {
    let odd = [
        "0",
        "00",
        "000",
        "A",
        "a",
        "a.b",
        "a_b",
        "ip-10-0-0-1.ec2.internal",
        "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
    ];
    for placement in BALANCING {
        let candidates = sorted(odd.iter().map(|id| member(id)).collect());
        assert_within_a_twentieth_of_the_mean(&fresh(placement, &candidates, 200), &candidates);
    }
}

#[test]
fn three_times_the_weight_gets_three_times_the_shards() {
    for placement in BALANCING {
        let candidates = [weighted("name-0", 1), weighted("name-1", 3)];
        for shards in [64, 100, 1_000, 1_003] {
            let light = loads(&fresh(placement, &candidates, shards), 2)[0] as usize;
            assert!((23 * shards..=27 * shards).contains(&(100 * light)), "{light} of {shards}");
        }
        assert_eq!(loads(&fresh(placement, &candidates, 100), 2), [25, 75]);
    }
}

fn zoned(id: &str, zone: &str, weight: u32) -> Candidate {
    Candidate { zone: Some(zone.into()), ..weighted(id, weight) }
}

#[test]
fn zones_get_equal_shares_divided_by_weight_inside() {
    let candidates =
        [zoned("a", "east", 1), zoned("b", "east", 3), zoned("c", "west", 1), zoned("d", "west", 1)];
    for placement in BALANCING {
        let homes = vec![None; 400];
        let spread = plan(placement, &Picture { candidates: &candidates, homes: &homes, spread_zones: true });
        assert_eq!(loads(&spread, 4), [50, 150, 100, 100]);
        let flat = plan(placement, &Picture { candidates: &candidates, homes: &homes, spread_zones: false });
        assert_eq!(loads(&flat, 4), [67, 200, 67, 66]);
    }
}

#[test]
fn without_candidates_nobody_owns_anything() {
    for placement in Placement::ALL {
        for spread_zones in [false, true] {
            let picture = Picture { candidates: &[], homes: &[Some(0), None, Some(7)], spread_zones };
            assert_eq!(plan(placement, &picture), [None; 3]);
        }
    }
}

#[test]
fn a_single_candidate_owns_everything() {
    for placement in BALANCING {
        assert_eq!(fresh(placement, &members(1), 100), vec![Some(0); 100]);
    }
}

#[test]
fn more_candidates_than_shards_get_one_each_or_none() {
    for placement in BALANCING {
        let loads = loads(&fresh(placement, &members(100), 7), 100);
        assert_eq!((loads.iter().sum::<u64>(), loads.iter().max()), (7, Some(&1)));
    }
}

#[test]
fn no_shards_need_no_plan() {
    for placement in Placement::ALL {
        assert!(fresh(placement, &members(3), 0).is_empty());
    }
}

#[test]
fn weights_at_both_ends_of_the_range_harm_nothing() {
    for placement in BALANCING {
        let candidates = [weighted("a", u32::MAX), weighted("b", 0), weighted("c", u32::MAX)];
        assert_eq!(loads(&fresh(placement, &candidates, 100), 3), [50, 0, 50]);
    }
}

#[test]
fn a_home_that_is_no_candidate_is_no_home() {
    for placement in BALANCING {
        assert_eq!(plan(placement, &picture(&members(1), &[Some(9)])), [Some(0)]);
    }
}

proptest! {
    #[test]
    fn weights_are_kept_within_a_twentieth_from_twenty_shards_for_each_unit(
        placement in any_balancing(), candidates in any_members(12), more in 0..50_usize,
    ) {
        let units: u32 = candidates.iter().map(|candidate| candidate.weight).sum();
        let homes = fresh(placement, &candidates, 20 * units as usize + more);
        assert_within_a_twentieth_of_the_mean(&homes, &candidates);
    }

    #[test]
    fn zones_differ_by_one_shard_at_most(
        placement in any_balancing(), candidates in any_members(12), homes in any_homes(0..150),
    ) {
        let homes = folded(&homes, candidates.len());
        let planned = plan(placement, &Picture { candidates: &candidates, homes: &homes, spread_zones: true });
        let mut zones = std::collections::BTreeMap::new();
        for (load, candidate) in loads(&planned, candidates.len()).into_iter().zip(&candidates) {
            *zones.entry(candidate.zone.clone()).or_insert(0) += load;
        }
        prop_assert!(zones.values().max().unwrap() - zones.values().min().unwrap() <= 1, "{zones:?}");
    }

    #[test]
    fn the_order_in_which_candidates_were_listed_says_nothing(
        placement in any_balancing(), candidates in any_members(12).prop_shuffle(), shards in 0..100_usize,
    ) {
        let once = sorted(candidates.clone());
        let again = sorted(candidates.into_iter().rev().collect());
        prop_assert_eq!(fresh(placement, &once, shards), fresh(placement, &again, shards));
    }
}
