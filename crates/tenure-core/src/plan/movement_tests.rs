//! Nothing moves that need not move.

use proptest::prelude::*;

use super::sample::*;
use super::{Balance, Candidate, Picture, Placement, plan};
use crate::ids::ShardId;

/// A plan of a cluster that has settled already.
struct Settled {
    placement: Placement,
    spread_zones: bool,
    candidates: Vec<Candidate>,
    homes: Homes,
}

impl Settled {
    fn new(placement: Placement, spread_zones: bool, candidates: Vec<Candidate>, shards: usize) -> Self {
        let nobody = Self { placement, spread_zones, candidates, homes: vec![None; shards] };
        Self { homes: nobody.planned(), ..nobody }
    }

    fn picture(&self) -> Picture<'_> {
        Picture { candidates: &self.candidates, homes: &self.homes, spread_zones: self.spread_zones }
    }

    fn planned(&self) -> Homes {
        plan(self.placement, &self.picture())
    }

    /// The same shards with other candidates, before anything is planned.
    fn with(&self, candidates: Vec<Candidate>) -> Self {
        Self { homes: carried(&self.homes, &self.candidates, &candidates), candidates, ..*self }
    }

    fn without(&self, gone: usize) -> Self {
        let mut rest = self.candidates.clone();
        rest.remove(gone);
        self.with(rest)
    }

    fn quota(&self, candidate: usize) -> u64 {
        loads(&self.planned(), self.candidates.len())[candidate]
    }
}

fn assert_only_the_leavers_shards_move(before: &Settled, gone: usize) {
    let after = before.without(gone);
    let planned = after.planned();
    let leavers = loads(&before.homes, before.candidates.len())[gone] as usize;
    assert_eq!(moves(&after.homes, &planned), leavers, "{:?}", before.placement);
    assert!(after.homes.iter().zip(&planned).all(|(was, is)| was.is_none() || was == is));
}

fn assert_the_joiner_alone_receives(before: &Settled, joiner: Candidate) {
    let all = sorted(before.candidates.iter().cloned().chain([joiner.clone()]).collect());
    let at = all.iter().position(|candidate| candidate.id == joiner.id).unwrap();
    let after = before.with(all);
    let planned = after.planned();
    let received = |(was, is): &(&Option<u32>, &Option<u32>)| was != is && **is == Some(at as u32);
    let got = after.homes.iter().zip(&planned).filter(received).count();
    assert_eq!(moves(&after.homes, &planned), got, "{:?}: old members moved shards", before.placement);
    assert_eq!(got as u64, after.quota(at), "{:?}: exactly its quota", before.placement);
}

#[test]
fn a_member_that_leaves_moves_exactly_its_own_shards() {
    for placement in BALANCING {
        for count in 2..20 {
            let before = Settled::new(placement, false, members(count), 256);
            for gone in 0..count {
                assert_only_the_leavers_shards_move(&before, gone);
            }
        }
    }
}

#[test]
fn a_joiner_receives_exactly_its_quota_and_nobody_else_anything() {
    for placement in BALANCING {
        for count in 1..20 {
            let before = Settled::new(placement, false, members(count), 256);
            let (at_least, at_most) = (256 / (count as u64 + 1), 256_u64.div_ceil(count as u64 + 1));
            assert_the_joiner_alone_receives(&before, member("newcomer"));
            let after =
                before.with(sorted(before.candidates.iter().cloned().chain([member("newcomer")]).collect()));
            let joiner =
                after.candidates.iter().position(|candidate| candidate.id.as_str() == "newcomer").unwrap();
            assert!((at_least..=at_most).contains(&after.quota(joiner)));
        }
    }
}

#[test]
fn mass_death_moves_the_shards_of_the_dead_alone() {
    for placement in BALANCING {
        let before = Settled::new(placement, false, members(40), 2_048);
        let after = before.with(before.candidates.iter().step_by(4).cloned().collect());
        let planned = after.planned();
        assert!(after.homes.iter().zip(&planned).all(|(was, is)| was.is_none() || was == is));
        assert!(planned.iter().all(Option::is_some));
    }
}

#[test]
fn many_joiners_at_once_receive_from_the_old_alone() {
    for placement in BALANCING {
        let before = Settled::new(placement, false, members(5), 1_000);
        let all = sorted(
            before.candidates.iter().cloned().chain(names("new", 20).iter().map(|id| member(id))).collect(),
        );
        let after = before.with(all);
        let planned = after.planned();
        assert_eq!(moves(&after.homes, &planned), 800);
        assert!(loads(&planned, 25).iter().all(|&load| load == 40));
    }
}

#[test]
fn a_new_cluster_of_ranges_has_one_run_for_each_member_in_order() {
    let homes = fresh(Placement::Ranges, &members(7), 100);
    assert!(homes.is_sorted());
    assert_eq!(loads(&homes, 7), [15, 15, 14, 14, 14, 14, 14]);
}

fn runs_of(homes: &[Option<u32>], who: u32) -> usize {
    homes.chunk_by(|one, next| one == next).filter(|run| run[0] == Some(who)).count()
}

#[test]
fn a_joiner_of_ranges_gets_one_run_from_two_neighbours() {
    let before = Settled::new(Placement::Ranges, false, members(8), 720);
    let after = before.with(before.candidates.iter().cloned().chain([member("new")]).collect());
    let planned = after.planned();
    assert_eq!(runs_of(&planned, 8), 4);
    assert!((0..8).all(|old| runs_of(&planned, old) == 1));
}

#[test]
fn a_leavers_run_is_eaten_from_both_ends_and_the_rest_cut_into_one_run_each() {
    let before = Settled::new(Placement::Ranges, false, members(8), 560);
    let after = before.without(3);
    let planned = after.planned();
    assert_eq!((runs_of(&planned, 2), runs_of(&planned, 3)), (1, 1));
    assert!((0..7).all(|who| runs_of(&planned, who) <= 2));
}

fn avoiding(id: &str, avoids: &[u32]) -> Candidate {
    Candidate { avoids: avoids.iter().copied().map(ShardId).collect(), ..member(id) }
}

#[test]
fn an_avoided_shard_goes_to_another_even_above_quota() {
    for placement in BALANCING {
        let candidates = [avoiding("a", &[0, 1, 2, 3]), member("b")];
        assert_eq!(fresh(placement, &candidates, 4), vec![Some(1); 4]);
    }
}

#[test]
fn a_shard_that_everybody_avoids_is_placed_all_the_same() {
    for placement in BALANCING {
        let candidates = [avoiding("a", &[0, 1]), avoiding("b", &[0, 1])];
        assert_eq!(loads(&fresh(placement, &candidates, 2), 2), [1, 1]);
    }
}

#[test]
fn an_avoided_shard_stays_at_home_until_its_home_parts_with_something_anyway() {
    for placement in BALANCING {
        let candidates = [avoiding("a", &[2]), member("b")];
        let homes = [Some(0), Some(1), Some(0), Some(1)];
        assert_eq!(plan(placement, &picture(&candidates, &homes)), homes);
        let planned = plan(placement, &picture(&candidates, &[Some(0), Some(0), Some(0), Some(1)]));
        assert_eq!(planned, [Some(0), Some(0), Some(1), Some(1)]);
    }
}

#[test]
fn what_one_refuses_another_gives_way_for() {
    for placement in BALANCING {
        let candidates = [avoiding("a", &[0]), member("b")];
        let planned = plan(placement, &picture(&candidates, &[None, Some(1), Some(1), Some(0)]));
        assert_eq!((planned[0], loads(&planned, 2)), (Some(1), vec![2, 2]));
    }
}

/// Makes the planned moves one by one in the given order; each must improve, and then nothing at all may.
fn assert_every_move_improves(picture: &Picture<'_>, planned: &[Option<u32>], order: &[usize]) {
    let mut balance = Balance::new(picture);
    for &shard in order {
        let to = planned[shard].unwrap();
        let Some(from) = picture.homes[shard] else {
            balance.placed(to);
            continue;
        };
        if from != to {
            assert!(balance.improves(from, to), "shard {shard} from {from} to {to}");
            balance.moved(from, to);
        }
    }
    let members = 0..picture.candidates.len() as u32;
    let all = members.clone().flat_map(|from| members.clone().map(move |to| (from, to)));
    assert!(!all.into_iter().any(|(from, to)| balance.improves(from, to)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_plan_of_a_planned_picture_is_itself(
        placement in any_balancing(), candidates in any_members(12), homes in any_homes(0..120), spread_zones: bool,
        aversions in prop::collection::vec(any::<(u16, u16)>(), 0..60),
    ) {
        let candidates = with_aversions(candidates, &aversions, homes.len());
        let homes = folded(&homes, candidates.len());
        let planned = plan(placement, &Picture { candidates: &candidates, homes: &homes, spread_zones });
        let again = plan(placement, &Picture { candidates: &candidates, homes: &planned, spread_zones });
        prop_assert_eq!(&again, &planned);
        prop_assert!(planned.iter().all(Option::is_some));
    }

    #[test]
    fn nobody_is_given_what_it_avoids_while_another_does_not(
        placement in any_balancing(), candidates in any_members(8), homes in any_homes(1..60), spread_zones: bool,
        aversions in prop::collection::vec(any::<(u16, u16)>(), 0..200),
    ) {
        let candidates = with_aversions(candidates, &aversions, homes.len());
        let homes = folded(&homes, candidates.len());
        let planned = plan(placement, &Picture { candidates: &candidates, homes: &homes, spread_zones });
        for (shard, (_, is)) in homes.iter().zip(&planned).enumerate().filter(|(_, (was, is))| was != is) {
            let avoids = |candidate: &Candidate| candidate.avoids.contains(&ShardId(shard as u32));
            prop_assert!(!avoids(&candidates[is.unwrap() as usize]) || candidates.iter().all(avoids));
        }
    }

    #[test]
    fn each_move_improves_the_balance_in_any_order_and_nothing_improves_the_plan(
        placement in any_balancing(), candidates in any_members(12), homes in any_homes(0..120), spread_zones: bool,
        order in Just((0..120_usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let homes = folded(&homes, candidates.len());
        let picture = Picture { candidates: &candidates, homes: &homes, spread_zones };
        let order: Vec<usize> = order.into_iter().filter(|&shard| shard < homes.len()).collect();
        assert_every_move_improves(&picture, &plan(placement, &picture), &order);
    }

    #[test]
    fn a_plan_made_half_way_is_finished_with_the_other_half(
        placement in any_balancing(), candidates in any_members(12), homes in any_homes(0..120), spread_zones: bool,
        done: u128,
    ) {
        let homes = folded(&homes, candidates.len());
        let planned = plan(placement, &Picture { candidates: &candidates, homes: &homes, spread_zones });
        let mut half = homes.clone();
        for shard in (0..homes.len()).filter(|shard| done >> shard & 1 == 1) {
            half[shard] = planned[shard];
        }
        let finished = plan(placement, &Picture { candidates: &candidates, homes: &half, spread_zones });
        prop_assert_eq!(moves(&homes, &half) + moves(&half, &finished), moves(&homes, &planned));
    }

    #[test]
    fn whoever_leaves_moves_exactly_its_own(
        placement in any_balancing(), candidates in any_members(12), shards in 0..200_usize, spread_zones: bool, gone: usize,
    ) {
        let gone = gone % candidates.len();
        prop_assume!(candidates.len() > 1);
        assert_only_the_leavers_shards_move(&Settled::new(placement, spread_zones, candidates, shards), gone);
    }

    #[test]
    fn whoever_joins_alone_receives(
        placement in any_balancing(), candidates in any_members(12), shards in 0..200_usize, spread_zones: bool,
        weight in 1..6_u32, zone in prop::option::of("[wxyz]"),
    ) {
        let joiner = Candidate { zone, ..weighted("joiner-longer-than-any", weight) };
        assert_the_joiner_alone_receives(&Settled::new(placement, spread_zones, candidates, shards), joiner);
    }
}
