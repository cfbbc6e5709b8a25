//! How long plans take, from a new cluster to one member more among a thousand.

#![allow(missing_docs, reason = "criterion's macros make public items")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use tenure_core::plan::{Candidate, Picture, Placement, plan};

const BALANCING: [Placement; 3] = [Placement::Rendezvous, Placement::Ring, Placement::Ranges];

type Homes = Vec<Option<u32>>;

fn members(count: usize, weight: fn(usize) -> u32) -> Vec<Candidate> {
    let id = |n: usize| format!("name-{n:06}").parse().expect("a member id");
    (0..count).map(|n| Candidate { weight: weight(n), ..Candidate::new(id(n)) }).collect()
}

fn picture<'a>(candidates: &'a [Candidate], homes: &'a [Option<u32>]) -> Picture<'a> {
    Picture { candidates, homes, spread_zones: false }
}

/// Homes among the first members, and one member more, the last, who has nothing yet.
fn before_a_join(placement: Placement, candidates: &[Candidate], shards: usize) -> Homes {
    let old = &candidates[..candidates.len() - 1];
    plan(placement, &picture(old, &vec![None; shards]))
}

/// Homes without those of the first member, who died; the indices are those of the others.
fn after_a_death(placement: Placement, candidates: &[Candidate], shards: usize) -> Homes {
    let homes = plan(placement, &picture(candidates, &vec![None; shards]));
    homes.into_iter().map(|home| home.and_then(|home| home.checked_sub(1))).collect()
}

fn fresh(criterion: &mut Criterion) {
    for (shards, count) in [(2_048, 100), (100_000, 1_000)] {
        let mut group = criterion.benchmark_group(format!("plan/fresh/{shards}x{count}"));
        let homes = vec![None; shards];
        let equal = members(count, |_| 1);
        for placement in BALANCING {
            group.bench_function(placement.name(), |bench| {
                bench.iter(|| plan(placement, black_box(&picture(&equal, &homes))));
            });
        }
        let four = members(count, |n| 1 + n as u32 % 4);
        let different = members(count, |n| 1 + n as u32);
        for (name, mixed) in [("four weights", four), ("all different", different)] {
            group.bench_function(format!("rendezvous, {name}"), |bench| {
                bench.iter(|| plan(Placement::Rendezvous, black_box(&picture(&mixed, &homes))));
            });
        }
    }
}

fn one_joins(criterion: &mut Criterion) {
    let (shards, count) = (1_000_000, 1_000);
    let mut group = criterion.benchmark_group(format!("plan/one joins/{shards}x{count}"));
    let candidates = members(count + 1, |_| 1);
    for placement in BALANCING {
        let homes = before_a_join(placement, &candidates, shards);
        group.bench_with_input(BenchmarkId::from_parameter(placement.name()), &homes, |bench, homes| {
            bench.iter(|| plan(placement, black_box(&picture(&candidates, homes))));
        });
    }
}

fn one_dies(criterion: &mut Criterion) {
    let (shards, count) = (100_000, 1_000);
    let mut group = criterion.benchmark_group(format!("plan/one dies/{shards}x{count}"));
    let candidates = members(count, |_| 1);
    for placement in BALANCING {
        let homes = after_a_death(placement, &candidates, shards);
        group.bench_with_input(BenchmarkId::from_parameter(placement.name()), &homes, |bench, homes| {
            bench.iter(|| plan(placement, black_box(&picture(&candidates[1..], homes))));
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = fresh, one_joins, one_dies
}
criterion_main!(benches);
