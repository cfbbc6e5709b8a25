//! What people may change in a cluster: drain a member, move a shard, take a move back, fence a member.
//!
//! Each is one conditional write over what was read, made by a pure function, so that it is tested and simulated like the
//! protocol's own. None of them can make two owners: draining and moving only ask the owner to hand over; fencing takes a
//! member's record away from it, so that it lapses by itself, and leaves the waiting to the others.

mod call_off;

pub use call_off::{call_off, promised_away};

use crate::Rules;
use crate::ids::{MemberId, Process, ShardId};
use crate::ledger::{Account, Step};
use crate::message::{Request, When};
use crate::record::{Key, LedgerPage, MemberRecord, NUMBER_MAX, Version, Why};
use crate::roster::SeenRecord;
use crate::survey::{MemberStatus, Onlooker};

/// Why something can't be done now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nobody has that name.
    #[error("there is no member {0} in this cluster")]
    NoMember(MemberId),
    /// Its record can't be understood by this build.
    #[error(
        "the record of member {0} can't be understood by this build; upgrade, or use the version that wrote it"
    )]
    Unreadable(MemberId),
    /// It has no lease to change.
    #[error("member {0} has ended; it holds nothing")]
    Ended(MemberId),
    /// It can't be given shards.
    #[error("member {id} is {state}; only an active member is given shards")]
    NotActive {
        /// Who.
        id: MemberId,
        /// What it is instead.
        state: MemberStatus,
    },
    /// The cluster has no such shard.
    #[error("there is no shard {shard}: this cluster has {shards}, from 0 to {}", shards - 1)]
    NoShard {
        /// Which.
        shard: ShardId,
        /// How many there are.
        shards: u32,
    },
    /// The page can't be written now.
    #[error("the ledger page of shard {0} can't be read; see what `tenure status` says of it")]
    NoPage(ShardId),
    /// There is nobody to move it from: the members give it out by themselves.
    #[error("shard {0} has no owner now; it is given out as soon as a member can take it")]
    Unowned(ShardId),
    /// It is on the move already.
    #[error(
        "shard {shard} is on its way to {heir}; wait until it is there, or take that back with `tenure move {shard} --cancel`"
    )]
    Moving {
        /// Which.
        shard: ShardId,
        /// To whom.
        heir: MemberId,
    },
    /// Its former owner has ended it already: the heir may have begun.
    #[error(
        "shard {shard} is between its owner and {heir}, who may have begun; wait until it is there, and move it back"
    )]
    TooLate {
        /// Which.
        shard: ShardId,
        /// Who takes over.
        heir: MemberId,
    },
    /// Its numbers are used up: what would be written nobody would read.
    #[error("{0}; see what `tenure status` says of it")]
    Spent(String),
    /// It is there already.
    #[error("shard {shard} is at {owner} already")]
    There {
        /// Which.
        shard: ShardId,
        /// Where.
        owner: MemberId,
    },
}

/// Asks that a member hand its shards on and get no others, or takes that back. `None` if its record says so already.
///
/// # Errors
/// Why that can't be said now.
pub fn drain(seen: &Onlooker, id: &MemberId, drained: bool) -> Result<Option<Request>, Refusal> {
    let (version, record) = record(seen, id)?;
    // Draining is kept over restarts, so a member that has ended may be drained too. The seq stays: it is the member's own.
    let next = MemberRecord { drained, ..record.clone() };
    Ok((record.drained != drained).then(|| put(Key::Member(id.clone()), version, next.encode())))
}

/// Takes the record of a member away from it: its next renewal finds another process there, and it lapses. What it holds is
/// free once it has been silent for its whole lease, counted from this write. `keep_out` drains it as well, so that it gets
/// nothing when it comes back.
///
/// The record stays an open lease: to call it closed would let others act while the member still may.
///
/// # Errors
/// Why that can't be done now.
pub fn fence(seen: &Onlooker, id: &MemberId, nobody: Process, keep_out: bool) -> Result<Request, Refusal> {
    let (version, record) = record(seen, id)?;
    if !record.state.is_open() {
        return Err(Refusal::Ended(id.clone()));
    }
    if record.seq >= NUMBER_MAX {
        return Err(Refusal::Spent(format!(
            "the record of member {id} has the last seq that there is, {NUMBER_MAX}"
        )));
    }
    let drained = record.drained || keep_out;
    let next = MemberRecord { process: nobody, seq: record.seq + 1, drained, ..record.clone() };
    Ok(put(Key::Member(id.clone()), version, next.encode()))
}

/// Who moves a shard, and when.
#[derive(Clone, Debug)]
pub struct Mover {
    /// The name to write down.
    pub author: MemberId,
    /// What the wall clock shows.
    pub at_ms: u64,
}

/// Promises a shard to another member (P3).
///
/// # Errors
/// Why that can't be done now.
pub fn promise(seen: &Onlooker, shard: ShardId, to: &MemberId, mover: &Mover) -> Result<Request, Refusal> {
    let (_, target) = record(seen, to)?;
    let step = Step::Promise(target.life(to));
    let meta = seen.meta();
    if shard.0 >= meta.shards {
        return Err(Refusal::NoShard { shard, shards: meta.shards });
    }
    let (number, index) = (shard.0 / meta.page_size, (shard.0 % meta.page_size) as usize);
    let leaf = &seen.book().leaves()[number as usize];
    let (page, version) = leaf.writable().ok_or(Refusal::NoPage(shard))?;
    check_free(seen, shard, to, page, index)?;
    check_active(seen, to, mover)?;
    let first = ShardId(number * meta.page_size);
    let account = Account { page, first, author: &mover.author, at_ms: Some(mover.at_ms) };
    let next = promised(page, index, step, &account, mover);
    Ok(put(Key::Page(number), version.clone(), next.encode()))
}

fn promised(page: &LedgerPage, index: usize, step: Step, account: &Account<'_>, mover: &Mover) -> LedgerPage {
    let reason = format!("{}{}", call_off::BY_HAND, mover.author);
    let steps = [(index, step)];
    let changes = account.of(&steps, &reason);
    let mut next = page.clone();
    next.holdings[index] = steps[0].1.apply(&page.holdings[index], Rules::ALL);
    next.generation += 1;
    next.why = Some(Why { reason, author: mover.author.clone(), view: Vec::new() });
    next.remember(changes);
    next
}

/// P3 wants an owner that has not ended, and no heir.
fn check_free(
    seen: &Onlooker,
    shard: ShardId,
    to: &MemberId,
    page: &LedgerPage,
    index: usize,
) -> Result<(), Refusal> {
    let holding = &page.holdings[index];
    if let Some(heir) = &holding.heir {
        return Err(Refusal::Moving { shard, heir: heir.life.id().clone() });
    }
    let owner = holding.owner.as_ref().filter(|owner| !seen.has_ended(owner, shard, holding.epoch));
    let owner = owner.ok_or(Refusal::Unowned(shard))?;
    if !holding.has_next() {
        return Err(Refusal::Spent(format!("shard {shard} has the last epoch that there is, {NUMBER_MAX}")));
    }
    if owner.id() == to {
        return Err(Refusal::There { shard, owner: to.clone() });
    }
    Ok(())
}

fn check_active(seen: &Onlooker, to: &MemberId, mover: &Mover) -> Result<(), Refusal> {
    match seen.state_of(to, mover.at_ms) {
        Some(MemberStatus::Active) => Ok(()),
        Some(state) => Err(Refusal::NotActive { id: to.clone(), state }),
        None => Err(Refusal::NoMember(to.clone())),
    }
}

fn record<'a>(seen: &'a Onlooker, id: &MemberId) -> Result<(Version, &'a MemberRecord), Refusal> {
    let entry: &SeenRecord = seen.roster().entry(id).ok_or_else(|| Refusal::NoMember(id.clone()))?;
    let record = entry.readable().ok_or_else(|| Refusal::Unreadable(id.clone()))?;
    Ok((entry.version.clone(), record))
}

fn put(key: Key, version: Version, value: bytes::Bytes) -> Request {
    Request::Put { key, value, when: When::Is(version) }
}

#[cfg(test)]
#[path = "operator_tests.rs"]
mod tests;
