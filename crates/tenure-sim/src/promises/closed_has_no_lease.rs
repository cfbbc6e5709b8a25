//! I4: a closed life has no valid lease, now or later.
//!
//! Watched when a record closes a life (is its lease over by its own clock?), and whenever a machine holds a lease (is its
//! life one that was closed, or one of which no record ever landed?).

use crate::promises::{Promise, Scene, Verdict};
use crate::surroundings::ProcessNo;

/// Watches the lives that a record just closed.
pub(crate) fn closed(scene: Scene<'_>) -> Verdict {
    for number in &scene.truth.just_closed {
        let holders = scene.procs.iter().filter(|proc| proc.lives() && proc.life == Some(*number));
        for proc in holders {
            if proc.machine.lease().holds(proc.clock.read(scene.now)) {
                let life = &scene.truth.lives[*number].life;
                let text = format!("{life} was closed while {} holds its lease", proc.name);
                return Err((Promise::ClosedHasNoLease, text));
            }
        }
    }
    Ok(())
}

/// Watches process `no`, which holds a lease.
pub(crate) fn leased(scene: Scene<'_>, no: ProcessNo) -> Verdict {
    let proc = &scene.procs[no];
    let Some(number) = proc.life else {
        return Err((
            Promise::ClosedHasNoLease,
            format!("{} holds a lease of which no record ever landed", proc.name),
        ));
    };
    let facts = &scene.truth.lives[number];
    if facts.is_closed(scene.now, scene.truth.ttl_max()) {
        return Err((
            Promise::ClosedHasNoLease,
            format!("{} holds the lease of {}, which is closed", proc.name, facts.life),
        ));
    }
    Ok(())
}
