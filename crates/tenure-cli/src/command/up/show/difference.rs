//! What changed from one look to the next, in words; shards that went the same way are told together.

use std::collections::BTreeMap;

use tenure::MemberId;

use super::super::cluster_view::{Lease, Seat, Standing};
use super::ShownMember;

/// The most shards that are named.
const NAMED: usize = 6;

/// What the record of `id` says that it did not say `before`.
pub(super) fn of_lease(member: &ShownMember, before: Option<&Lease>, now: &Lease) -> Option<String> {
    let id = &member.id;
    let again = before.is_some_and(|before| before.life != now.life);
    if !again && before.is_some_and(|before| before.standing == now.standing) {
        return None;
    }
    match now.standing {
        Standing::Active if again => Some(format!("{id} has joined again, as a new life")),
        Standing::Active => before.is_none().then(|| format!("{id} has joined")),
        Standing::Leaving => Some(format!("{id} is leaving")),
        Standing::Gone if member.is_alive() => Some(format!("{id} has handed everything on")),
        Standing::Gone => Some(format!("{id} is proven dead by the others")),
        Standing::Deposed => Some(format!("{id} was silent for its whole lease: deposed by the others")),
    }
}

/// Whether a life was given up for its silence: it was deposed, or another life is in its place, which only a lease that is
/// over makes room for.
pub(super) fn is_given_up(before: &Lease, now: &Lease) -> bool {
    let deposed = now.standing == Standing::Deposed && before.standing != Standing::Deposed;
    deposed || (before.standing.is_open() && before.life != now.life)
}

/// Which way a shard went; what is done is told before what is to come.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Orphaned(MemberId),
    Passed(MemberId, MemberId),
    Taken(MemberId),
    Promised(MemberId, MemberId),
}

/// How the shards changed hands.
pub(super) fn of_seats(before: &[Seat], now: &[Seat]) -> Vec<String> {
    let mut ways: BTreeMap<Way, Vec<usize>> = BTreeMap::new();
    for (shard, seat) in now.iter().enumerate() {
        if let Some(way) = way(before.get(shard).unwrap_or(&Seat::Vacant), seat) {
            ways.entry(way).or_default().push(shard);
        }
    }
    ways.iter().map(|(way, shards)| tell(way, shards)).collect()
}

fn way(before: &Seat, now: &Seat) -> Option<Way> {
    match (before.owner(), now.owner(), now) {
        (from, to, Seat::Moving(owner, heir)) if from == to && before != now => {
            Some(Way::Promised(owner.clone(), heir.clone()))
        }
        (from, to, _) if from == to => None,
        (Some(from), Some(to), _) => Some(Way::Passed(from.clone(), to.clone())),
        (None, Some(to), _) => Some(Way::Taken(to.clone())),
        (Some(from), None, _) => Some(Way::Orphaned(from.clone())),
        (None, None, _) => None,
    }
}

fn tell(way: &Way, shards: &[usize]) -> String {
    let which = named(shards);
    match way {
        Way::Orphaned(from) => format!("{which} of {from} without owner"),
        Way::Promised(from, to) => format!("{which} to move from {from} to {to}"),
        Way::Taken(to) => format!("{to} takes {which}"),
        Way::Passed(from, to) => format!("{which} passed from {from} to {to}"),
    }
}

fn named(shards: &[usize]) -> String {
    let names: Vec<String> = shards.iter().take(NAMED).map(ToString::to_string).collect();
    let more = if shards.len() > NAMED { " …" } else { "" };
    match shards {
        [one] => format!("shard {one}"),
        _ => format!("{} shards ({}{more})", shards.len(), names.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> MemberId {
        name.parse().unwrap()
    }

    fn held(name: &str) -> Seat {
        Seat::Held(id(name))
    }

    #[test]
    fn shards_that_went_the_same_way_are_told_together() {
        let before: Vec<Seat> = (0..8).map(|_| held("ada")).collect();
        let mut now: Vec<Seat> = (0..7).map(|_| held("ben")).collect();
        now.push(Seat::Vacant);
        let told = of_seats(&before, &now);
        assert_eq!(told, ["shard 7 of ada without owner", "7 shards (0 1 2 3 4 5 …) passed from ada to ben"]);
    }

    #[test]
    fn a_promise_is_told_once_and_its_keeping_once() {
        let promised = [Seat::Moving(id("ada"), id("ben"))];
        assert_eq!(of_seats(&[held("ada")], &promised), ["shard 0 to move from ada to ben"]);
        assert!(of_seats(&promised, &promised).is_empty());
        assert_eq!(of_seats(&promised, &[held("ben")]), ["shard 0 passed from ada to ben"]);
    }

    #[test]
    fn a_shard_without_history_is_taken() {
        assert_eq!(of_seats(&[], &[held("ada"), held("ada")]), ["ada takes 2 shards (0 1)"]);
    }
}
