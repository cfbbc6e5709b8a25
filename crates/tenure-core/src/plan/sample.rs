//! Members and pictures for the tests of plans.

use proptest::prelude::*;

use super::{Candidate, Picture, Placement, plan};
use crate::ids::{MemberId, ShardId};

/// The placements that even out loads.
pub(super) const BALANCING: [Placement; 3] = [Placement::Rendezvous, Placement::Ring, Placement::Ranges];

pub(super) type Homes = Vec<Option<u32>>;

pub(super) fn member(id: &str) -> Candidate {
    Candidate::new(id.parse().unwrap())
}

pub(super) fn names(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|number| format!("{prefix}-{number}")).collect()
}

/// `name-0 … name-n`, sorted by id.
pub(super) fn members(count: usize) -> Vec<Candidate> {
    sorted(names("name", count).iter().map(|name| member(name)).collect())
}

pub(super) fn sorted(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by(|one, other| one.id.cmp(&other.id));
    candidates
}

pub(super) fn weighted(id: &str, weight: u32) -> Candidate {
    Candidate { weight, ..member(id) }
}

pub(super) fn picture<'a>(candidates: &'a [Candidate], homes: &'a [Option<u32>]) -> Picture<'a> {
    Picture { candidates, homes, spread_zones: false }
}

/// The plan of a new cluster.
pub(super) fn fresh(placement: Placement, candidates: &[Candidate], shards: usize) -> Homes {
    plan(placement, &picture(candidates, &vec![None; shards]))
}

pub(super) fn loads(homes: &[Option<u32>], candidates: usize) -> Vec<u64> {
    let mut loads = vec![0; candidates];
    for home in homes.iter().flatten() {
        loads[*home as usize] += 1;
    }
    loads
}

/// The homes seen by other candidates: by id, none where the id is no longer there.
pub(super) fn carried(homes: &[Option<u32>], from: &[Candidate], to: &[Candidate]) -> Homes {
    let index = |id: &MemberId| to.iter().position(|candidate| candidate.id == *id).map(|at| at as u32);
    homes.iter().map(|home| home.and_then(|home| index(&from[home as usize].id))).collect()
}

/// How many shards changed their home.
pub(super) fn moves(before: &[Option<u32>], after: &[Option<u32>]) -> usize {
    before.iter().zip(after).filter(|(before, after)| before != after).count()
}

/// Any members: distinct odd names, small weights, up to three zones.
pub(super) fn any_members(at_most: usize) -> impl Strategy<Value = Vec<Candidate>> {
    let one = ("[a-zA-Z0-9][a-z0-9._-]{0,6}", 1..6_u32, prop::option::of("[xyz]"));
    prop::collection::vec(one, 1..=at_most).prop_map(|all| {
        let mut all: Vec<Candidate> =
            all.into_iter().map(|(id, weight, zone)| Candidate { weight, zone, ..member(&id) }).collect();
        all = sorted(all);
        all.dedup_by(|one, other| one.id == other.id);
        all
    })
}

/// Any homes for `shards` shards among so many candidates, some of them nobody's.
pub(super) fn any_homes(shards: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Option<u16>>> {
    prop::collection::vec(prop::option::weighted(0.8, any::<u16>()), shards)
}

pub(super) fn folded(homes: &[Option<u16>], candidates: usize) -> Homes {
    homes.iter().map(|home| home.map(|home| u32::from(home) % candidates as u32)).collect()
}

pub(super) fn any_balancing() -> impl Strategy<Value = Placement> {
    prop::sample::select(&BALANCING[..])
}

/// Aversions as (candidate, shard), folded into range.
pub(super) fn with_aversions(
    mut candidates: Vec<Candidate>,
    pairs: &[(u16, u16)],
    shards: usize,
) -> Vec<Candidate> {
    let count = candidates.len();
    for &(candidate, shard) in pairs {
        candidates[candidate as usize % count].avoids.push(ShardId(u32::from(shard) % shards.max(1) as u32));
    }
    for candidate in &mut candidates {
        candidate.avoids.sort_unstable();
    }
    candidates
}
