//! What a member owes to those who count on it. What it gave back it says, until the ledger has moved on (L5, G1); it drains for an
//! heir that lives; it comes back when its store is well (L4); it deposes what it has watched (O1), and removes what no page names (G2).

use std::time::Duration;

use tenure_core::ids::{Epoch, MemberId, ShardId};
use tenure_core::record::{Holding, MemberRecord};

use crate::clock::Nanos;
use crate::machine_sim::{Proc, Work};
use crate::promises::{Promise, Scene, Truth, Verdict};
use crate::surroundings::ProcessNo;

/// Watches a process after a turn: whoever leaves has given back what it was promised and has not begun.
pub(crate) fn declines(now: Nanos, proc: &Proc) -> Verdict {
    let waits = |work: &&Work| !work.opened && !work.is_running() && !work.seat.closed();
    match proc.works.iter().find(waits).filter(|_| proc.leaving && proc.is_leased(now)) {
        Some(work) => {
            let shard = work.seat.shard();
            Err((Promise::Settles, format!("{} leaves, and waits to succeed to {shard:?}", proc.name)))
        }
        None => Ok(()),
    }
}

/// Watches a record that a process sends of its own life: it says of every epoch that ended here and is named still.
pub(crate) fn stays_said(truth: &Truth, proc: &Proc, record: &MemberRecord) -> Verdict {
    let unsaid = |(shard, epoch): &&(ShardId, Epoch)| {
        truth.names(*shard, *epoch) && !record.released.has(*shard, *epoch)
    };
    // Whoever is gone has ended every epoch at once.
    match proc.conduct.resigned.iter().find(unsaid).filter(|_| record.state.is_open()) {
        Some((shard, epoch)) => {
            let text = format!("{} ended {shard:?} at {epoch:?}, and its record does not say so", proc.name);
            Err((Promise::Settles, text))
        }
        None => Ok(()),
    }
}

/// Watches a process that ends: its join is answered, so that no late one becomes a ghost (L1). A renewal of a life that has
/// lapsed since may be under way: it revives nothing.
pub(crate) fn ends(proc: &Proc) -> Verdict {
    let lapsed = proc.life.is_some_and(|life| proc.lapsed.contains(&life));
    match lapsed || proc.conduct.own_writes.is_empty() {
        true => Ok(()),
        false => {
            Err((Promise::Settles, format!("{} ends while a write of its record is under way", proc.name)))
        }
    }
}

/// Watches the work for a holding after its owner was told how all members were at `asked`: should the heir end while the owner
/// drains for it, the owner goes on. Judged by listings that showed the truth, and by pages that the owner has: what these showed,
/// it knows.
pub(crate) fn drains_for_somebody(
    scene: Scene<'_>,
    proc: &Proc,
    work: &Work,
    holding: &Holding,
    asked: Nanos,
) -> Verdict {
    let heir_ended = holding.heir.as_ref().is_none_or(|heir| {
        scene.truth.ended_since(work.seat.shard(), heir.epoch).is_some_and(|since| since < asked)
    });
    match work.is_draining() && heir_ended && proc.runs() && proc.is_leased(scene.now) {
        true => {
            let text = format!("{} drains {:?} for an heir that has ended", proc.name, work.seat.shard());
            Err((Promise::Settles, text))
        }
        false => Ok(()),
    }
}

/// Watches a process that sends a record as a lease: one that has lapsed joins again only when the store was well for a while (L4).
/// Else it comes and goes with every hiccup.
pub(crate) fn joins_again(proc: &Proc) -> Verdict {
    let again = proc.life.is_some_and(|life| proc.lapsed.contains(&life));
    match again && !proc.conduct.recovered {
        true => Err((
            Promise::Settles,
            format!("{} joins again before its store was well for a while", proc.name),
        )),
        false => Ok(()),
    }
}

/// Watches process `no`, which sends `deposed` over a record that it must have watched for `silence`. Only unbroken watching counts
/// (O1): an outage of the store proves no death.
pub(crate) fn deposes(scene: Scene<'_>, no: ProcessNo, whom: &str, silence: Duration) -> Verdict {
    let proc = &scene.procs[no];
    let watched = proc.clock.read(scene.now).since(proc.conduct.watches_since);
    if watched >= silence {
        return Ok(());
    }
    let text = format!("{} deposes {whom}, and has watched for {watched:?}, not {silence:?}", proc.name);
    Err((Promise::Settles, text))
}

/// Watches the removal of a member record by `who`: no page may name its lives (G2). Else members that have not read it wait for
/// ttl_max to know them closed.
pub(crate) fn removed(truth: &Truth, who: &str, id: &MemberId) -> Verdict {
    let holdings = truth.pages.iter().flatten().flat_map(|page| &page.holdings);
    match holdings.into_iter().find(|holding| names(holding, id)) {
        Some(holding) => {
            Err((Promise::Settles, format!("{who} removed the record of {id}, whom {holding:?} still names")))
        }
        None => Ok(()),
    }
}

fn names(holding: &Holding, id: &MemberId) -> bool {
    let heir = holding.heir.iter().map(|heir| &heir.life);
    holding.owner.iter().chain(heir).any(|life| life.id() == id)
}
