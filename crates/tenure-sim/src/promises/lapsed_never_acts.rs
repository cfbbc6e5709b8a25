//! I5: a lapsed life never acts again.
//!
//! A life has lapsed once its clock has shown the end of its lease, whether or not its machine noticed. From then on its
//! lease never holds again; and whoever has no lease plans nothing (L1, L4).

use crate::promises::{Promise, Scene, Verdict};
use crate::surroundings::ProcessNo;

/// Watches process `no`, which holds a lease.
pub(crate) fn leased(scene: Scene<'_>, no: ProcessNo) -> Verdict {
    let proc = &scene.procs[no];
    match proc.life {
        Some(number) if proc.lapsed.contains(&number) => {
            let life = &scene.truth.lives[number].life;
            Err((
                Promise::LapsedNeverActs,
                format!("{life} had lapsed, and {} holds its lease again", proc.name),
            ))
        }
        _ => Ok(()),
    }
}

/// Watches process `no`, which says that it has lapsed: every guard is closed before anything else happens (L4).
pub(crate) fn detached(scene: Scene<'_>, no: ProcessNo) -> Verdict {
    let proc = &scene.procs[no];
    let local = proc.clock.read(scene.now);
    if proc.machine.lease().holds(local) {
        return Err((Promise::LapsedNeverActs, format!("{} has lapsed, and its lease holds", proc.name)));
    }
    match proc.seats().find(|seat| seat.holds(local)) {
        Some(seat) => Err((
            Promise::LapsedNeverActs,
            format!("{} has lapsed, and may act for {:?}", proc.name, seat.shard()),
        )),
        None => Ok(()),
    }
}

/// Watches process `no`, which has joined: all work of its former life must have ended (L4).
pub(crate) fn joined(scene: Scene<'_>, no: ProcessNo) -> Verdict {
    let proc = &scene.procs[no];
    match proc.works.iter().find(|work| work.is_running()) {
        Some(work) => {
            let shard = work.seat.shard();
            let text = format!("{} joins again while its former life works for {shard:?}", proc.name);
            Err((Promise::LapsedNeverActs, text))
        }
        None => Ok(()),
    }
}

/// Watches process `no`, which sends a page and is past the founding.
pub(crate) fn plans(scene: Scene<'_>, no: ProcessNo) -> Verdict {
    let proc = &scene.procs[no];
    if proc.machine.lease().holds(proc.clock.read(scene.now)) {
        return Ok(());
    }
    Err((Promise::LapsedNeverActs, format!("{} plans, and has no lease", proc.name)))
}
