//! From surplus to room: the part of a plan that all balancing placements share.
//!
//! Those above their quota part with shards, and those below it take them: inside each zone first, and only then, with
//! the shards that are nobody's, between zones. So no move between two zones waits for another to undo its harm: each
//! single move improves the balance, whichever is made first.

use super::draft::{Draft, Share};
use super::holdings::Holdings;
use super::picture::Picture;

/// Which shard goes to whom: what balancing placements differ in.
pub(super) trait Manner {
    /// A phase begins: `draft.takers()` have room.
    fn begin(&mut self, draft: &Draft<'_>);

    /// Brings to the front of `held`, ascending shards of `home`, the `count` that it parts with first.
    fn part(&mut self, draft: &Draft<'_>, home: u32, held: &mut [u32], count: usize);

    /// Gives the shards of `pool`, ascending and homeless, to those who take them. There is room for all.
    fn settle(&mut self, draft: &mut Draft<'_>, pool: &[u32]);
}

/// The plan of a picture.
///
/// One pass is the whole plan as long as everybody takes every shard. Refusals may send shards above a quota, which
/// the next pass evens out; it ends because every pass that moves anything lowers the potential.
pub(super) fn balanced(manner: &mut impl Manner, picture: &Picture<'_>) -> Vec<Option<u32>> {
    let mut homes = pass(manner, picture);
    while picture.candidates.iter().any(|candidate| !candidate.avoids.is_empty()) {
        let next = pass(manner, &Picture { homes: &homes, ..*picture });
        if next == homes {
            break;
        }
        homes = next;
    }
    homes
}

fn pass(manner: &mut impl Manner, picture: &Picture<'_>) -> Vec<Option<u32>> {
    let mut draft = Draft::new(picture);
    let holdings = Holdings::new(&draft);
    for zone in 0..draft.balance.zones().count() {
        within(zone, &mut draft, manner, &holdings);
    }
    across(&mut draft, manner, &holdings);
    draft.house_strays();
    draft.homes
}

/// Evens out one zone.
fn within(zone: usize, draft: &mut Draft<'_>, manner: &mut impl Manner, holdings: &Holdings) {
    let (surpluses, rooms) = shares(draft, zone);
    if surpluses.is_empty() || rooms.is_empty() {
        return;
    }
    let total = rooms.iter().map(|&(_, room)| room).sum();
    let released = release(draft, manner, holdings, &clipped(surpluses, total), &rooms);
    manner.settle(draft, &released);
    take_back(draft, holdings, &released);
}

/// Evens out the zones, and places what is nobody's.
fn across(draft: &mut Draft<'_>, manner: &mut impl Manner, holdings: &Holdings) {
    let (mut surpluses, mut rooms) = (Vec::new(), Vec::new());
    for zone in 0..draft.balance.zones().count() {
        let (load, quota) = (draft.balance.zone_loads()[zone], draft.quotas.of_zone(zone));
        let (surplus, lack) = shares(draft, zone);
        surpluses.extend(clipped(surplus, load.saturating_sub(quota)));
        rooms.extend(clipped(lack, quota.saturating_sub(load)));
    }
    surpluses.sort_unstable();
    rooms.sort_unstable();
    let released = release(draft, manner, holdings, &surpluses, &rooms);
    let pool: Vec<u32> = (0..draft.homes.len() as u32).filter(|&shard| draft.home(shard).is_none()).collect();
    manner.settle(draft, &pool);
    take_back(draft, holdings, &released);
}

/// Who of a zone has too much, and who too little.
fn shares(draft: &Draft<'_>, zone: usize) -> (Vec<Share>, Vec<Share>) {
    let members = || draft.balance.zones().members(zone);
    let surpluses = members().map(|member| (member, draft.surplus(member))).filter(|share| share.1 > 0);
    let lacks = members().map(|member| (member, draft.lack(member))).filter(|share| share.1 > 0);
    (surpluses.collect(), lacks.collect())
}

/// The first of these shares, up to a total.
fn clipped(mut shares: Vec<Share>, total: u64) -> Vec<Share> {
    let mut left = total;
    for (_, count) in &mut shares {
        *count = (*count).min(left);
        left -= *count;
    }
    shares.retain(|share| share.1 > 0);
    shares
}

/// Opens a phase: those with a surplus part with it. The shards that became homeless, ascending.
fn release(
    draft: &mut Draft<'_>,
    manner: &mut impl Manner,
    holdings: &Holdings,
    surpluses: &[Share],
    rooms: &[Share],
) -> Vec<u32> {
    draft.open(rooms);
    manner.begin(draft);
    let mut released = Vec::new();
    for &(home, count) in surpluses {
        part(draft, manner, holdings.of(home), (home, count), &mut released);
    }
    released.sort_unstable();
    released
}

/// One home parts with its surplus: first with what it avoids, then as the placement says.
fn part(
    draft: &mut Draft<'_>,
    manner: &mut impl Manner,
    held: &[u32],
    share: Share,
    released: &mut Vec<u32>,
) {
    let (home, count) = share;
    let here = |&shard: &u32| draft.home(shard) == Some(home) && draft.somebody_takes(shard);
    let (mut leaving, mut rest): (Vec<u32>, Vec<u32>) =
        held.iter().copied().filter(here).partition(|&shard| !draft.refusals.allow(home, shard));
    leaving.truncate(count as usize);
    let more = (count as usize - leaving.len()).min(rest.len());
    manner.part(draft, home, &mut rest, more);
    leaving.extend(&rest[..more]);
    for &shard in &leaving {
        draft.release(shard);
    }
    released.append(&mut leaving);
}

/// What found no taker stays at home.
fn take_back(draft: &mut Draft<'_>, holdings: &Holdings, released: &[u32]) {
    for &shard in released {
        if draft.home(shard).is_none() {
            holdings.owner(shard).into_iter().for_each(|owner| draft.place(shard, owner));
        }
    }
}
