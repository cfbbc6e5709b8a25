//! Members whose cluster is recovered under them, over a perfect store.

use super::town::{Town, secs, two_at_rest};
use crate::ids::{Epoch, Lineage, MemberId, Process, ShardId};
use crate::message::{Notice, When};
use crate::record::{Key, MemberRecord, Meta};
use crate::recovery::{Recovery, STEP};

/// Somebody who recovers the cluster, one step after the other.
struct Operator(Recovery);

impl Operator {
    fn begin(town: &mut Town) -> Self {
        let meta = Meta::decode(&town.store["meta"].value).unwrap();
        let operator = Self(Recovery::new(&meta, Lineage(77)));
        replace(town, "meta", operator.0.forming().encode());
        operator
    }

    fn raise(&self, town: &mut Town) {
        for (key, number) in pages(town) {
            let page = self.0.read_page(number, &town.store[&key].value).unwrap();
            let raised = self.0.raised(number, &page, &"operator".parse().unwrap()).unwrap().unwrap();
            replace(town, &key, raised.encode());
        }
    }

    fn close(&self, town: &mut Town) {
        for (key, id) in members(town) {
            let record = MemberRecord::decode(&id, &town.store[&key].value, secs(40)).unwrap();
            if let Some(closed) = self.0.closed(&record, Process(1), 0) {
                replace(town, &key, closed.encode());
            }
        }
    }

    fn finish(&self, town: &mut Town) {
        for (key, number) in pages(town) {
            let page = self.0.read_page(number, &town.store[&key].value).unwrap();
            replace(town, &key, self.0.finished(number, &page).unwrap().unwrap().encode());
        }
        replace(town, "meta", self.0.ready().encode());
    }
}

fn replace(town: &mut Town, key: &str, value: bytes::Bytes) {
    let version = town.store[key].version.clone();
    town.put(key.to_owned(), value, When::Is(version));
}

fn pages(town: &Town) -> Vec<(String, u32)> {
    let page = |key: &String| match Key::parse(key) {
        Some(Key::Page(number)) => Some((key.clone(), number)),
        _ => None,
    };
    town.store.keys().filter_map(page).collect()
}

fn members(town: &Town) -> Vec<(String, MemberId)> {
    let member = |key: &String| match Key::parse(key) {
        Some(Key::Member(id)) => Some((key.clone(), id)),
        _ => None,
    };
    town.store.keys().filter_map(member).collect()
}

/// The epochs of everything that is acted for, by shard.
fn epochs(town: &Town) -> Vec<(ShardId, Epoch)> {
    let seats = town.houses.iter().flat_map(|house| house.seats.values());
    let mut acting: Vec<_> =
        seats.filter(|seat| seat.holds(town.now)).map(|seat| (seat.shard(), seat.epoch())).collect();
    acting.sort();
    acting
}

#[test]
fn members_that_live_through_a_recovery_let_go_and_come_back_by_themselves() {
    let mut town = two_at_rest();
    assert_eq!(town.counts(), [6, 6]);
    let operator = Operator::begin(&mut town);
    operator.raise(&mut town);
    operator.close(&mut town);
    town.run(operator.0.patience());
    assert_eq!(town.counts(), [0, 0], "nobody acts while it goes on");
    operator.finish(&mut town);
    town.run(secs(30));
    assert_eq!(town.counts(), [6, 6]);
    let epochs = epochs(&town);
    assert_eq!(epochs.len(), 12);
    assert!(epochs.iter().all(|(_, epoch)| epoch.0 > STEP), "{epochs:?}");
    let told = |house: &super::town::House| {
        house.notices.iter().any(|notice| matches!(notice, Notice::Recovered(_)))
    };
    assert!(town.houses.iter().all(told));
}

#[test]
fn nobody_joins_or_finishes_the_founding_while_a_recovery_goes_on() {
    let mut town = two_at_rest();
    let operator = Operator::begin(&mut town);
    operator.raise(&mut town);
    let late = town.add("c", 12);
    town.run(secs(60));
    assert!(!town.store.contains_key("members/c"), "it waits");
    assert!(town.houses[late].notices.iter().all(|notice| !matches!(notice, Notice::Unreadable(_))));
    operator.close(&mut town);
    town.run(operator.0.patience());
    operator.finish(&mut town);
    town.run(secs(30));
    assert_eq!(town.counts(), [4, 4, 4]);
}

#[test]
fn whoever_slept_through_a_recovery_wakes_without_a_lease_and_with_a_lower_epoch() {
    let mut town = two_at_rest();
    let asleep = epochs(&town);
    town.houses[0].cut_off = true;
    let operator = Operator::begin(&mut town);
    operator.raise(&mut town);
    operator.close(&mut town);
    town.run(operator.0.patience());
    operator.finish(&mut town);
    town.run(secs(20));
    assert_eq!(town.counts(), [0, 12]);
    let awake = epochs(&town);
    assert!(asleep.iter().zip(&awake).all(|(old, new)| old.0 == new.0 && old.1.0 + STEP <= new.1.0));
    town.houses[0].cut_off = false;
    town.run(secs(30));
    assert_eq!(town.counts(), [6, 6]);
}

#[test]
fn whoever_slept_through_a_recovery_asks_although_its_page_has_the_version_that_it_knew() {
    let mut town = two_at_rest();
    let known: Vec<_> =
        pages(&town).into_iter().map(|(key, _)| (town.store[&key].version.clone(), key)).collect();
    town.houses.iter_mut().for_each(|house| house.cut_off = true);
    let operator = Operator::begin(&mut town);
    operator.raise(&mut town);
    operator.close(&mut town);
    town.run(operator.0.patience());
    operator.finish(&mut town);
    for (version, key) in known {
        town.store.get_mut(&key).unwrap().version = version;
    }
    town.houses.iter_mut().for_each(|house| house.cut_off = false);
    town.run(secs(60));
    assert_eq!(town.counts(), [6, 6]);
    let epochs = epochs(&town);
    assert!(epochs.iter().all(|(_, epoch)| epoch.0 > STEP), "{epochs:?}");
}

#[test]
fn a_member_that_can_not_read_whose_cluster_this_is_does_nothing_but_renew() {
    let mut town = two_at_rest();
    let meta = town.store.remove("meta").unwrap();
    town.houses[0].cut_off = true;
    town.run(secs(30));
    town.houses[0].cut_off = false;
    town.run(secs(60));
    assert_eq!(town.counts(), [0, 12], "it has joined, and asks");
    town.store.insert("meta".to_owned(), meta);
    town.run(secs(30));
    assert_eq!(town.counts(), [6, 6]);
}

#[test]
fn a_strange_page_alone_ends_nobodys_lease() {
    let mut town = two_at_rest();
    let meta = Meta::decode(&town.store["meta"].value).unwrap();
    let strange = Operator(Recovery::new(&meta, Lineage(77)));
    strange.raise(&mut town);
    town.run(secs(60));
    assert_eq!(town.counts(), [6, 6], "owners go on by their leases");
}
