//! Should the heir end while the owner drains for it, the owner goes on: no shard is given up for nobody.
//!
//! Judged by listings that showed the truth, and by pages that the owner has: what these showed, it knows.

use tenure_core::record::Holding;

use crate::clock::Nanos;
use crate::machine_sim::{Proc, Work};
use crate::oracle::{Invariant, Scene, Verdict};

/// Watches the work for a holding after its owner was told how all members were at `asked`.
pub(crate) fn watch(scene: Scene<'_>, proc: &Proc, work: &Work, holding: &Holding, asked: Nanos) -> Verdict {
    let heir_ended = holding.heir.as_ref().is_none_or(|heir| {
        scene.truth.ended_since(work.seat.shard(), heir.epoch).is_some_and(|since| since < asked)
    });
    match work.is_draining() && heir_ended && proc.runs() && proc.is_leased(scene.now) {
        true => {
            let text = format!("{} drains {:?} for an heir that has ended", proc.name, work.seat.shard());
            Err((Invariant::I6, text))
        }
        false => Ok(()),
    }
}
