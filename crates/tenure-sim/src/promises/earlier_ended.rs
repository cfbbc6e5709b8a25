//! I3: whoever may act at e, every epoch below e is ended: released by its holder, or its holder is closed.
//!
//! Watched when a seat opens; when a page lands, for a step may replace only what has ended (P1, P2: the owner; P1, P4, P5:
//! the heir); and when a holder says that it ended, for then its guard must be closed and its work over.

use tenure_core::guard::Seat;
use tenure_core::ids::{Epoch, Life, ShardId};
use tenure_core::record::{Holding, LedgerPage};

use crate::clock::Nanos;
use crate::machine_sim::Proc;
use crate::promises::{LifeNo, Promise, Scene, Truth, Verdict};
use crate::surroundings::ProcessNo;

/// Watches a seat that was opened.
pub(crate) fn opened(now: Nanos, truth: &Truth, seat: &Seat, life: &Life) -> Verdict {
    let all = truth.given.get(seat.shard().0 as usize);
    let below = all.into_iter().flatten().take_while(|given| given.epoch < seat.epoch());
    for given in below {
        if !given.resigned && !truth.ended(now, given) {
            let (shard, epoch) = (seat.shard(), seat.epoch());
            let text = format!(
                "{life} acts for {shard:?} at {epoch:?}, and {:?} of {} has not ended",
                given.epoch, given.life
            );
            return Err((Promise::EarlierEnded, text));
        }
    }
    Ok(())
}

/// Watches the steps of a page that landed.
///
/// Its author knows of itself what nobody else can know yet: that it ended an epoch.
pub(crate) fn page(
    scene: Scene<'_>,
    author: Option<ProcessNo>,
    first: u32,
    old: &LedgerPage,
    new: &LedgerPage,
) -> Verdict {
    let judge = Judge { scene, author: author.map(|no| &scene.procs[no]) };
    for (place, (before, after)) in old.holdings.iter().zip(&new.holdings).enumerate() {
        if before != after {
            judge.step(ShardId(first + place as u32), before, after)?;
        }
    }
    Ok(())
}

struct Judge<'a> {
    scene: Scene<'a>,
    author: Option<&'a Proc>,
}

impl Judge<'_> {
    fn step(&self, shard: ShardId, before: &Holding, after: &Holding) -> Verdict {
        let owner_stays = before.epoch == after.epoch;
        if let Some(owner) = before.owner.as_ref().filter(|_| !owner_stays) {
            self.must_have_ended(shard, owner, before.epoch, "its owner is replaced")?;
        }
        let Some(heir) = &before.heir else { return Ok(()) };
        let heir_stays = after.heir.as_ref() == Some(heir);
        let heir_owns = after.owner.as_ref() == Some(&heir.life) && after.epoch == heir.epoch;
        if heir_stays || heir_owns {
            return Ok(());
        }
        self.must_have_ended(shard, &heir.life, heir.epoch, "its heir is replaced")
    }

    fn must_have_ended(&self, shard: ShardId, life: &Life, epoch: Epoch, what: &str) -> Verdict {
        let Scene { now, truth, .. } = self.scene;
        let given = truth.given(shard, epoch);
        let known = given.is_some_and(|given| truth.ended(now, given));
        let is = |number: &LifeNo| truth.lives[*number].life == *life;
        let own = |author: &&Proc| author.life.as_ref().is_some_and(is);
        // What it sent before it lapsed may land much later: that it had ended the epoch by then it knew all the same.
        let former =
            |author: &Proc| author.lapsed.iter().any(is) && given.is_some_and(|given| given.resigned);
        if known
            || self.author.filter(own).is_some_and(|author| author.has_ended(now, shard, epoch))
            || self.author.is_some_and(former)
        {
            return Ok(());
        }
        Err((Promise::EarlierEnded, format!("{shard:?}: {what}, and {epoch:?} of {life} has not ended")))
    }
}

/// Watches a process that says, by its record or a grant, that it ended an epoch.
pub(crate) fn said_ended(now: Nanos, proc: &Proc, shard: ShardId, epoch: Epoch) -> Verdict {
    let Some(work) = proc.work(shard, epoch) else { return Ok(()) };
    if work.seat.holds(proc.clock.read(now)) {
        let text = format!("{} says that it ended {shard:?} at {epoch:?}, and its guard is open", proc.name);
        return Err((Promise::EarlierEnded, text));
    }
    if work.is_running() {
        let text = format!("{} says that it ended {shard:?} at {epoch:?}, and its work runs", proc.name);
        return Err((Promise::EarlierEnded, text));
    }
    Ok(())
}
