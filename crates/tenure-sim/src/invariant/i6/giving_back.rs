//! What was given back is said, and stays said until the ledger has moved on (L5, G1): earlier, nobody else could end it.

use tenure_core::ids::{Epoch, ShardId};
use tenure_core::record::MemberRecord;

use crate::clock::Nanos;
use crate::machine_sim::{Proc, Work};
use crate::oracle::{Invariant, Truth, Verdict};

/// Watches a process after a turn: whoever leaves has given back what it was promised and has not begun.
pub(crate) fn declines(now: Nanos, proc: &Proc) -> Verdict {
    let waits = |work: &&Work| !work.opened && !work.is_running() && !work.seat.closed();
    match proc.works.iter().find(waits).filter(|_| proc.leaving && proc.is_leased(now)) {
        Some(work) => {
            let shard = work.seat.shard();
            Err((Invariant::I6, format!("{} leaves, and waits to inherit {shard:?}", proc.name)))
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
            Err((Invariant::I6, text))
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
        false => Err((Invariant::I6, format!("{} ends while a write of its record is under way", proc.name))),
    }
}
