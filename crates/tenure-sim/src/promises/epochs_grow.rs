//! I2: epochs of a holding only grow; one epoch names one life, for ever.
//!
//! Watched where it can break: at every page that lands, and at every seat that is opened (whoever acts at an epoch must
//! be the one life to whom a page that landed gave it).

use tenure_core::guard::Seat;
use tenure_core::ids::{Epoch, Life, ShardId};
use tenure_core::record::{Holding, LedgerPage};

use crate::promises::{Promise, Truth, Verdict};

/// Watches a page that replaces the one known to `truth`.
pub(crate) fn page(truth: &Truth, first: u32, old: Option<&LedgerPage>, new: &LedgerPage) -> Verdict {
    if let Some(old) = old {
        grows(old, new)?;
    }
    for (place, holding) in new.holdings.iter().enumerate() {
        let shard = ShardId(first + place as u32);
        let before = old.map(|old| &old.holdings[place]);
        if before != Some(holding) {
            named(truth, shard, holding)?;
        }
    }
    Ok(())
}

fn grows(old: &LedgerPage, new: &LedgerPage) -> Verdict {
    if new.generation < old.generation {
        return wrong(format!("a page went from generation {} back to {}", old.generation, new.generation));
    }
    for (place, (before, after)) in old.holdings.iter().zip(&new.holdings).enumerate() {
        if after.epoch < before.epoch || after.top < before.top {
            return wrong(format!("holding {place} of a page fell from {before:?} to {after:?}"));
        }
    }
    Ok(())
}

fn named(truth: &Truth, shard: ShardId, holding: &Holding) -> Verdict {
    if let Some(owner) = &holding.owner {
        one_life(truth, shard, holding.epoch, owner)?;
    }
    match &holding.heir {
        Some(heir) => one_life(truth, shard, heir.epoch, &heir.life),
        None => Ok(()),
    }
}

fn one_life(truth: &Truth, shard: ShardId, epoch: Epoch, life: &Life) -> Verdict {
    if truth.find(life).is_none() {
        return wrong(format!("{shard:?} is given to {life}, of whom no record ever landed"));
    }
    match truth.given(shard, epoch) {
        Some(given) if given.life != *life => {
            wrong(format!("{epoch:?} of {shard:?} was given to {}, and now to {life}", given.life))
        }
        Some(_) => Ok(()),
        None => newest(truth, shard, epoch, life),
    }
}

fn newest(truth: &Truth, shard: ShardId, epoch: Epoch, life: &Life) -> Verdict {
    match truth.given[shard.0 as usize].last() {
        Some(last) if last.epoch > epoch => {
            wrong(format!("{life} is given {epoch:?} of {shard:?} after {:?} was given", last.epoch))
        }
        _ => Ok(()),
    }
}

/// Watches a seat that `life` opened.
pub(crate) fn opened(truth: &Truth, seat: &Seat, life: &Life) -> Verdict {
    match truth.given(seat.shard(), seat.epoch()) {
        Some(given) if given.life == *life => Ok(()),
        Some(given) => wrong(format!(
            "{life} acts for {:?} at {:?}, which was given to {}",
            seat.shard(),
            seat.epoch(),
            given.life
        )),
        None => {
            wrong(format!("{life} acts for {:?} at {:?}, which nobody was given", seat.shard(), seat.epoch()))
        }
    }
}

fn wrong(text: String) -> Verdict {
    Err((Promise::EpochsGrow, text))
}
