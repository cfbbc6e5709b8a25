//! What an operator asks for has its effect, and lasts: a drained member owns nothing and stays drained, a shard that was moved
//! has come to its heir, and what is asked back is judged.

use tenure_core::ids::{MemberId, ShardId};
use tenure_core::record::{Heir, MemberRecord};

use crate::clock::Nanos;
use crate::promises::{Promise, Truth, Verdict};

/// A member writes a record over one that said whether it is drained: that is for the operator alone to change.
pub(crate) fn stays_drained(who: &str, id: &MemberId, before: bool, after: bool) -> Verdict {
    match before == after {
        true => Ok(()),
        false => Err((
            Promise::Settles,
            format!("{who} changes whether {id} is drained, from {before} to {after}"),
        )),
    }
}

/// The ledger has come to rest while an operator wants `id` drained.
pub(crate) fn has_nothing(truth: &Truth, id: &MemberId, record: Option<&MemberRecord>) -> Verdict {
    if record.is_some_and(|record| !record.drained) {
        return Err((Promise::Settles, format!("{id} was drained, and its record does not say so any more")));
    }
    let mut holdings = truth.pages.iter().flatten().flat_map(|page| &page.holdings);
    match holdings.any(|holding| holding.owner.as_ref().is_some_and(|owner| owner.id() == id)) {
        true => {
            Err((Promise::Settles, format!("{id} is drained, and owns shards though the ledger is at rest")))
        }
        false => Ok(()),
    }
}

/// The ledger has come to rest: each member has judged what it was asked to give back.
pub(crate) fn nothing_is_asked_back<'a>(
    records: impl Iterator<Item = (&'a MemberId, MemberRecord)>,
) -> Verdict {
    let mut open = records.filter(|(_, record)| record.state.is_open());
    match open.find(|(_, record)| !record.give_back.is_empty()) {
        Some((id, _)) => {
            Err((Promise::Settles, format!("{id} was asked to give shards back, and never judged that")))
        }
        None => Ok(()),
    }
}

/// The ledger has come to rest, and an operator had moved these shards.
pub(crate) fn have_arrived(truth: &Truth, now: Nanos, moves: &[(ShardId, Heir)]) -> Verdict {
    for (shard, heir) in moves {
        let given = truth.given(*shard, heir.epoch);
        if given.is_some_and(|given| !given.arrived && !truth.ended(now, given)) {
            let text = format!("{shard:?} was moved to {}, which never got it", heir.life);
            return Err((Promise::Settles, text));
        }
    }
    Ok(())
}
