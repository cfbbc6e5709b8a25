//! Takes promises back: the heir is asked, by its record, to give them back if it has not begun.
//!
//! To strike the heir out of the page instead would be one write, and unsafe: the owner may have ended its epoch meanwhile, and the
//! heir acts on that before the ledger shows it.

use std::collections::BTreeMap;

use super::{Refusal, put, record};
use crate::ids::{Epoch, MemberId, ShardId};
use crate::message::Request;
use crate::record::{Heir, Holding, Key, LedgerPage, MemberRecord, StepTaken};
use crate::survey::Onlooker;

/// How the reason of a move by hand begins.
pub(super) const BY_HAND: &str = "moved by ";

/// Asks the heirs of these shards to give them back: one write for each heir. Shards that are promised to nobody, or whose heirs
/// were asked already, need none.
///
/// # Errors
/// Why that can't be asked of one of them.
pub fn call_off(seen: &Onlooker, shards: &[ShardId]) -> Result<Vec<Request>, Refusal> {
    let mut asked: BTreeMap<MemberId, Vec<(ShardId, Epoch)>> = BTreeMap::new();
    for shard in shards {
        if let Some(heir) = heir_of(seen, *shard)? {
            asked.entry(heir.life.id().clone()).or_default().push((*shard, heir.epoch));
        }
    }
    let requests: Result<Vec<_>, _> = asked.iter().map(|(id, epochs)| ask(seen, id, epochs)).collect();
    Ok(requests?.into_iter().flatten().collect())
}

/// The shards of `id` that are promised to others and still held, but for those that somebody moves by hand.
pub fn promised_away(seen: &Onlooker, id: &MemberId) -> Vec<ShardId> {
    let numbered = (0..).zip(seen.book().leaves());
    let pages = numbered.filter_map(|(number, leaf)| Some((number, leaf.page.as_ref()?)));
    let shards = pages.flat_map(|(number, page)| {
        let holdings = page.holdings.iter().enumerate();
        holdings.map(move |(index, holding)| (seen.book().shard(number, index), page, holding))
    });
    let leaves = |(shard, page, holding): &(ShardId, &LedgerPage, &Holding)| {
        let owned = holding.owner.as_ref().filter(|owner| owner.id() == id);
        let held = owned.is_some_and(|owner| !seen.has_ended(owner, *shard, holding.epoch));
        held && holding.heir.is_some() && !is_by_hand(page, *shard)
    };
    shards.filter(leaves).map(|(shard, ..)| shard).collect()
}

fn is_by_hand(page: &LedgerPage, shard: ShardId) -> bool {
    let promise = page.last_change(shard, |step| step == StepTaken::Promised);
    promise.is_some_and(|change| change.reason.starts_with(BY_HAND))
}

/// To whom a shard is promised, if that can be taken back.
fn heir_of(seen: &Onlooker, shard: ShardId) -> Result<Option<&Heir>, Refusal> {
    let shards = seen.meta().shards;
    if shard.0 >= shards {
        return Err(Refusal::NoShard { shard, shards });
    }
    let holding = seen.book().holding(shard).ok_or(Refusal::NoPage(shard))?;
    let Some(heir) = &holding.heir else { return Ok(None) };
    let held = holding.owner.as_ref().is_some_and(|owner| !seen.has_ended(owner, shard, holding.epoch));
    if held { Ok(Some(heir)) } else { Err(Refusal::TooLate { shard, heir: heir.life.id().clone() }) }
}

fn ask(seen: &Onlooker, id: &MemberId, epochs: &[(ShardId, Epoch)]) -> Result<Option<Request>, Refusal> {
    let (version, record) = record(seen, id)?;
    let news = epochs.iter().filter(|(shard, epoch)| !record.give_back.has(*shard, *epoch));
    let news: Vec<(ShardId, Epoch)> = news.copied().collect();
    // One that has ended gives nothing back: the members call off what was promised to it.
    if news.is_empty() || !record.state.is_open() {
        return Ok(None);
    }
    let next = MemberRecord { give_back: record.give_back.with(news), ..record.clone() };
    Ok(Some(put(Key::Member(id.clone()), version, next.encode())))
}
