//! I1: no instant has two members that may act for one shard.
//!
//! What "may act" means is asked of the seats themselves, each by the clock of the process that holds it, whether that
//! process runs or stands still: work that wakes between two instructions would ask no one else. Seats only close by
//! themselves; so it is enough to look when a seat was opened or a lease was extended.

use tenure_core::guard::Seat;
use tenure_core::ids::{Epoch, ShardId};

use crate::promises::{Promise, Scene, Verdict};
use crate::surroundings::ProcessNo;

/// Watches the seats of process `no`, of which one was opened or whose lease was extended.
pub(crate) fn watch(scene: Scene<'_>, no: ProcessNo) -> Verdict {
    let proc = &scene.procs[no];
    let local = proc.clock.read(scene.now);
    for seat in proc.seats().filter(|seat| seat.holds(local)) {
        if let Some((other, theirs)) = rival(scene, no, seat) {
            let (one, other) = (&scene.procs[no].name, &scene.procs[other].name);
            return clash(seat.shard(), (one, seat.epoch()), (other, theirs.epoch()));
        }
    }
    Ok(())
}

/// Two may act for `shard`: each with its epoch.
pub(crate) fn clash(shard: ShardId, one: (&str, Epoch), other: (&str, Epoch)) -> Verdict {
    let text =
        format!("{} may act for {shard:?} at {:?}, and so may {} at {:?}", one.0, one.1, other.0, other.1);
    Err((Promise::SingleOwner, text))
}

fn rival<'a>(scene: Scene<'a>, no: ProcessNo, seat: &Seat) -> Option<(ProcessNo, &'a Seat)> {
    let others = scene.procs.iter().enumerate().filter(|(other, proc)| *other != no && proc.lives());
    for (other, proc) in others {
        let local = proc.clock.read(scene.now);
        let holding = proc.seats().find(|theirs| theirs.shard() == seat.shard() && theirs.holds(local));
        if let Some(theirs) = holding {
            return Some((other, theirs));
        }
    }
    None
}
