//! Shards are given to members that stay and that were seen renewed of late (C6): else they go from one dead end to the next.
//!
//! Judged by listings that showed the truth: what such a listing showed, its reader knows.

use std::time::Duration;

use tenure_core::ids::{Life, ShardId};

use crate::clock::Nanos;
use crate::promises::{Promise, Scene, Verdict};
use crate::surroundings::ProcessNo;

/// A life that process `by` gives a shard to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chosen<'a> {
    pub(crate) by: ProcessNo,
    pub(crate) life: &'a Life,
    /// When the record of its member was last written.
    pub(crate) renewed: Nanos,
    pub(crate) ttl: Duration,
    /// Since when listings have shown the truth.
    pub(crate) truthful_since: Nanos,
}

/// Watches a life that is given a shard: not one that leaves.
pub(crate) fn stays(scene: Scene<'_>, chosen: &Chosen<'_>) -> Verdict {
    let asked = scene.procs[chosen.by].conduct.listing_asked;
    let leaves_since = scene.truth.find(chosen.life).and_then(|no| scene.truth.lives[no].leaves_since);
    match leaves_since.filter(|since| asked >= chosen.truthful_since && *since < asked) {
        Some(_) => wrong(scene, chosen.by, chosen.life, "which it had read to be leaving"),
        None => Ok(()),
    }
}

/// Watches a life that is given a shard: not one whose epochs the author takes away as a closed life's, now or before.
pub(crate) fn is_not_closed(scene: Scene<'_>, by: ProcessNo, life: &Life, buried: &[Life]) -> Verdict {
    match scene.procs[by].conduct.buried.contains(life) || buried.contains(life) {
        true => wrong(scene, by, life, "which it knows to be closed"),
        false => Ok(()),
    }
}

/// Watches a life that is given `shard`: whoever could serve it itself `passes_over` those that could not start it.
pub(crate) fn can_start(scene: Scene<'_>, chosen: &Chosen<'_>, shard: ShardId, passes_over: bool) -> Verdict {
    match passes_over {
        true => wrong(scene, chosen.by, chosen.life, &format!("which could not start {shard:?}")),
        false => Ok(()),
    }
}

/// Watches a life that is given a shard: one that was seen renewed within half its lease. That the author could not watch for
/// a while, or not renew itself, makes nobody look renewed; nor does a first sight.
pub(crate) fn is_fresh(scene: Scene<'_>, chosen: &Chosen<'_>) -> Verdict {
    let proc = &scene.procs[chosen.by];
    // An old listing may leave a record out, and the next one then seems to show a life that has just begun.
    if chosen.renewed < proc.born && chosen.truthful_since <= proc.born {
        return wrong(scene, chosen.by, chosen.life, "which has not renewed since it came");
    }
    let Some(seen) = proc.conduct.shown_at(chosen.renewed.max(chosen.truthful_since)) else { return Ok(()) };
    match proc.clock.read(scene.now).since(seen) > chosen.ttl / 2 {
        true => wrong(scene, chosen.by, chosen.life, "which it has not seen renewed of late"),
        false => Ok(()),
    }
}

fn wrong(scene: Scene<'_>, by: ProcessNo, life: &Life, why: &str) -> Verdict {
    let name = &scene.procs[by].name;
    Err((Promise::Settles, format!("{name} gives a shard to {life}, {why}")))
}
