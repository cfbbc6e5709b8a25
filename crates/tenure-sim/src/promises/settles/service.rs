//! Every shard has an acting owner in time (2·ttl, or 2·ttl_max where a record was deleted), heirs are settled, and the ledger comes
//! to rest; and meanwhile no process keeps the store busy.

use tenure_core::guard::Seat;
use tenure_core::ids::ShardId;

use crate::machine_sim::{Proc, Work};
use crate::promises::{Promise, Scene, Truth, Verdict};

/// The work of all who may act for `shard` now.
fn open_works(scene: Scene<'_>, shard: ShardId) -> impl Iterator<Item = &Work> {
    scene.procs.iter().filter(|proc| proc.lives()).flat_map(move |proc| {
        let local = proc.clock.read(scene.now);
        proc.works.iter().filter(move |work| work.seat.shard() == shard && work.seat.holds(local))
    })
}

/// Whether somebody may act for `shard` now.
pub(crate) fn is_served(scene: Scene<'_>, shard: ShardId) -> bool {
    open_works(scene, shard).next().is_some()
}

/// The time is over: every shard must have had an owner since faults stopped.
pub(crate) fn in_time(served: &[bool]) -> Verdict {
    match served.iter().position(|served| !served) {
        Some(shard) => Err((Promise::Settles, format!("s{shard} had no owner in time"))),
        None => Ok(()),
    }
}

/// Whether the work of whoever may act for the shard runs, or has nothing left to do.
fn is_worked_for(scene: Scene<'_>, shard: ShardId) -> bool {
    open_works(scene, shard).any(|work| work.is_running() || work.content)
}

/// Work has finished for a move that was called off: while its seat is open it runs again.
pub(crate) fn goes_on(proc: &Proc, seat: &Seat) -> Verdict {
    let idle = proc.work(seat.shard(), seat.epoch()).is_none_or(|work| !work.is_running());
    match idle && proc.runs() && !seat.closed() {
        true => Err((
            Promise::Settles,
            format!("nobody works for s{}, whose move was called off", seat.shard().0),
        )),
        false => Ok(()),
    }
}

/// The ledger has come to rest: every shard has an owner that works for it, and no move is left half done.
pub(crate) fn at_rest(scene: Scene<'_>) -> Verdict {
    for shard in (0..scene.truth.given.len()).map(|shard| ShardId(shard as u32)) {
        is_owned(Some(shard).filter(|shard| !is_served(scene, *shard)))?;
        if !is_worked_for(scene, shard) {
            return Err((Promise::Settles, format!("the owner of s{} does not work for it", shard.0)));
        }
    }
    no_heir_waits(scene.truth)
}

/// The ledger has come to rest, and `idle` is a shard that has no owner, if any.
pub(crate) fn is_owned(idle: Option<ShardId>) -> Verdict {
    match idle {
        Some(ShardId(shard)) => {
            Err((Promise::Settles, format!("s{shard} has no owner although the ledger is at rest")))
        }
        None => Ok(()),
    }
}

/// The ledger has come to rest: no move is left half done.
pub(crate) fn no_heir_waits(truth: &Truth) -> Verdict {
    let holdings = truth.pages.iter().flatten().flat_map(|page| &page.holdings);
    match holdings.filter_map(|holding| holding.heir.as_ref()).next() {
        Some(heir) => {
            Err((Promise::Settles, format!("{} stays heir although the ledger is at rest", heir.life)))
        }
        None => Ok(()),
    }
}

/// The most calls of the store that a process has reason for in a second, beside its looks.
const BUSY: u32 = 60;

/// The most calls that anybody has reason for where pages are few and leases long.
const BUSY_AT_LEAST: u32 = 150;

/// A process called the store for the `calls`th time within a second. A look reads every page and the members; eight may follow
/// each other at once, and as many in each poll. Every shard that changes hands is a word in a record, and a step in a page.
pub(crate) fn pace(truth: &Truth, proc: &Proc, calls: u32) -> Verdict {
    let looks = 9 + (8.0 / proc.timing.poll.as_secs_f64()) as u32;
    let (pages, shards) = (truth.pages.len() as u32, truth.given.len() as u32);
    if calls < BUSY_AT_LEAST.max(BUSY + 2 * shards + looks * (pages + 1)) {
        return Ok(());
    }
    Err((Promise::Settles, format!("{} called the store {calls} times within a second", proc.name)))
}

/// The longest time is over, and the ledger still changes.
pub(crate) fn restless(changes: usize) -> Verdict {
    Err((
        Promise::Settles,
        format!("the ledger does not come to rest: {changes} changes since faults stopped"),
    ))
}
