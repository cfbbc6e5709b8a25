//! What we may act for, and what we owe to others when we stop (W1, W4, L5, P4, P5, G1).

use std::collections::BTreeMap;

use super::Rules;
use crate::ids::{Epoch, Life, ShardId};
use crate::message::Grant;
use crate::record::Holding;

impl Rules {
    /// W1: a life is owner where the ledger names this very life.
    pub(crate) fn is_owner(self, named: &Life, me: &Life) -> bool {
        named == me
    }

    /// W1: a life is heir where the ledger names this very life.
    pub(crate) fn is_heir(self, named: &Life, me: &Life) -> bool {
        named == me
    }

    /// W1: an heir acts with evidence that the owner's epoch has ended.
    pub(crate) fn may_succeed(self, owner_ended: bool, granted: bool) -> bool {
        owner_ended || granted
    }

    /// W1: a grant counts for exactly the lineage, shard, lives and epochs that it names.
    pub(crate) fn grant_counts(self, said: &Grant, due: &Grant) -> bool {
        said == due
    }

    /// W1: of a page's holdings only those that name a life concern it.
    pub(crate) fn concerned(self, naming: &[usize], _all: usize) -> Vec<usize> {
        naming.to_vec()
    }

    /// P1–P5: a page needs nothing by lives of which nothing was told, so that its holdings are not looked at.
    pub(crate) fn is_remarkable(self, told: impl FnOnce() -> bool) -> bool {
        told()
    }

    /// W4: an owner or heir whose entry names it no more stops at once.
    pub(crate) fn is_overruled(self, named: bool) -> bool {
        !named
    }

    /// W1: the heir is told when the work has ended and the guard is closed, not before.
    pub(crate) fn may_grant(self, has_ended: bool) -> bool {
        has_ended
    }

    /// W1, L5: everybody is told when the work has ended and the guard is closed, not before.
    pub(crate) fn may_release(self, has_ended: bool) -> bool {
        has_ended
    }

    /// W1: what a life has released it does not act for again: the highest epoch is remembered, of those before and this one.
    pub(crate) fn highest_released(self, before: Option<Epoch>, this: Epoch) -> Epoch {
        before.map_or(this, |before| before.max(this))
    }

    /// P1–P5: an epoch of our own has ended when we have released it.
    pub(crate) fn own_epoch_ended(self, released: bool) -> bool {
        released
    }

    /// W1: what a life has released it remembers to its end: all of it, also what the record says no more.
    pub(crate) fn outlasting(self, memory: BTreeMap<ShardId, Epoch>) -> BTreeMap<ShardId, Epoch> {
        memory
    }

    /// G1: a release is in the record until the ledger has moved on.
    pub(crate) fn written_of(self, shard: ShardId, released: Epoch) -> Option<(ShardId, Epoch)> {
        Some((shard, released))
    }

    /// G1: a release may leave the record when a page was read whose `top` has reached the epoch and which names it neither
    /// as owner's nor as heir's. Earlier, nobody else could end it. `is_written`: the record is known to say all that it should.
    pub(crate) fn may_forget(self, holding: Option<&Holding>, epoch: Epoch, _is_written: bool) -> bool {
        holding.is_some_and(|holding| {
            let heir_at = holding.heir.as_ref().map(|heir| heir.epoch);
            holding.top >= epoch && holding.epoch != epoch && heir_at != Some(epoch)
        })
    }

    /// L5: an heir that leaves gives back what it has not begun.
    pub(crate) fn declines(self, leaving: bool, begun: bool) -> bool {
        leaving && !begun
    }

    /// A promise that is called back is given back if it has not begun; P4 or P5 follows.
    pub(crate) fn gives_back(self, begun: bool) -> bool {
        !begun
    }

    /// P4, P5: an owner whose heir has ended goes on, unless it leaves and nobody is there to take over.
    pub(crate) fn resumes(self, alone: bool) -> bool {
        !alone
    }

    /// P5: work that has finished for a move which was called off is started again.
    pub(crate) fn starts_again(self, recalled: bool) -> bool {
        recalled
    }

    /// L5: an owner that leaves, or is drained, hands its shards on.
    pub(crate) fn hands_on(self, leaving: bool, drained: bool) -> bool {
        leaving || drained
    }
}
