//! What a member makes of the dead, of those who leave in the middle, and of a ledger that names somebody else.

use super::town::{Town, secs, timing};
use crate::config::Config;
use crate::ids::{Epoch, Incarnation, Life, Line, MemberId, Process, ShardId};
use crate::message::{Event, Notice, When};
use crate::record::{Holding, Key, LedgerPage, MemberRecord, MemberState, Meta, NUMBER_MAX, samples};

impl Town {
    pub(super) fn record(&self, name: &str) -> MemberRecord {
        let id: MemberId = name.parse().unwrap();
        MemberRecord::decode(&id, &self.store[&format!("members/{name}")].value, secs(40)).unwrap()
    }

    /// A record whose member died long ago, unnoticed.
    fn bury_alive(&mut self, name: &str) {
        let record = MemberRecord { state: MemberState::Active, ttl_ms: 10_000, ..samples::member() };
        self.put(format!("members/{name}"), record.encode(), When::Absent);
    }

    /// Somebody writes a page without asking anybody.
    fn forge(&mut self, number: u32, change: impl Fn(&mut Holding)) {
        let mut page = self.ledger_page(number);
        page.holdings.iter_mut().for_each(change);
        page.generation += 1;
        let key = Key::Page(number).to_string();
        let over = self.store[&key].version.clone();
        self.put(key, page.encode(), When::Is(over));
    }

    fn meta(&self) -> Meta {
        Meta::decode(&self.store[&Key::Meta.to_string()].value).unwrap()
    }

    fn ledger_page(&self, number: u32) -> LedgerPage {
        let found = &self.store[&Key::Page(number).to_string()];
        LedgerPage::decode(number, &found.value, &self.meta()).unwrap()
    }

    fn named(&self, name: &str) -> usize {
        let pages = (0..self.meta().pages()).map(|number| self.ledger_page(number));
        let names = |life: &Life| life.id().as_str() == name;
        let of =
            |holding: &Holding| holding.owner.iter().chain(holding.heir.as_ref().map(|h| &h.life)).any(names);
        pages.map(|page| page.holdings.iter().filter(|holding| of(holding)).count()).sum()
    }
}

#[test]
fn a_member_that_died_before_we_came_is_given_nothing() {
    let mut town = Town::new();
    town.bury_alive("b");
    town.add("a", 12);
    for _ in 0..30 {
        town.run(secs(1));
        assert_eq!(town.named("b"), 0);
    }
    assert_eq!(town.counts(), [12]);
}

#[test]
fn a_conflict_of_our_own_makes_no_dead_member_look_renewed() {
    let mut town = Town::new();
    town.add("a", 12);
    town.add("b", 12);
    town.run(secs(5));
    town.houses[1].cut_off = true;
    let silent_after = timing().silence(timing().ttl) + timing().poll * 2;
    for _ in 0..5 {
        town.run(silent_after / 5);
        town.drain("a", true);
        town.drain("a", false);
    }
    assert_eq!(town.record("b").state, MemberState::Deposed, "not a moment later than without the operator");
    assert_eq!(town.counts(), [12, 0]);
}

#[test]
fn a_stop_in_the_middle_of_a_join_leaves_no_living_record() {
    let mut town = Town::new();
    town.add("a", 12);
    town.run(secs(5));
    let b = town.add("b", 12);
    while !town.store.contains_key("members/b") {
        town.run(timing().poll / 8);
    }
    town.tell(b, Event::Hurry);
    town.run(secs(2));
    assert!(town.houses[b].ended);
    assert_eq!(town.record("b").state, MemberState::Gone);
}

#[test]
fn an_owner_that_the_ledger_names_no_more_stops_at_its_next_look() {
    let mut town = Town::new();
    town.add("a", 4);
    town.run(secs(5));
    let forger = Life::new("f".parse().unwrap(), Incarnation { line: Line(6), term: 1 });
    town.forge(0, |holding| {
        *holding = Holding { owner: Some(forger.clone()), epoch: Epoch(9), heir: None, top: Epoch(9) };
    });
    town.run(timing().poll);
    assert_eq!(town.counts(), [0]);
    let told = |notice: &&Notice| matches!(notice, Notice::Overruled { owner: Some(_), epoch: Epoch(9), .. });
    assert_eq!(town.houses[0].notices.iter().filter(told).count(), 4);
}

#[test]
fn a_shard_that_has_had_its_last_epoch_is_given_to_nobody_and_its_page_stays_readable() {
    let mut town = Town::new();
    town.add("a", 4);
    town.add("b", 4);
    town.run(secs(5));
    town.forge(0, |holding| holding.top = Epoch(NUMBER_MAX));
    town.run(timing().poll);
    town.tell(0, Event::Leave);
    town.run(secs(30));
    assert!(town.ledger_page(0).holdings.iter().all(|holding| holding.top == Epoch(NUMBER_MAX)));
    let told = |notice: &&Notice| matches!(notice, Notice::Spent(what) if what.contains("the last one"));
    assert_eq!(town.houses[1].notices.iter().filter(told).count(), 1);
}

#[test]
fn releases_beyond_a_portion_follow_when_the_ledger_has_moved_on() {
    let mut town = Town::new();
    let id: MemberId = "a".parse().unwrap();
    let config = Config { page_size: 5, release_runs: 1, ..Config::new(id, Process(1), 12, timing()) };
    town.add_as(config);
    town.add("b", 12);
    town.run(secs(5));
    assert_eq!(town.counts(), [6, 6]);
    town.drain("a", true);
    town.run(secs(10));
    assert_eq!(town.counts(), [0, 12]);
    assert!(town.houses[1].machine.snapshot(town.now).holdings.iter().all(|holding| holding.heir.is_none()));
    let said = town.record("a").released;
    assert!(said.runs().count() <= 1 && !said.has(ShardId(99), Epoch(1)), "{said:?}");
}

#[test]
fn a_record_tells_which_work_fails_until_it_has_run_for_a_while() {
    let mut town = Town::new();
    town.add("a", 2);
    town.houses[0].machine.wall_clock(1_000_000);
    town.run(secs(5));
    town.houses[0].broken = Some(ShardId(1));
    town.fail(ShardId(1));
    town.run(secs(20));
    let told = town.record("a").failing;
    assert_eq!(told.len(), 1);
    assert_eq!((told[0].shard, told[0].error.as_str()), (ShardId(1), "broken"));
    assert!(told[0].failures > 3 && told[0].retry_at_ms.is_some(), "{told:?}");
    town.houses[0].broken = None;
    town.run(secs(40));
    let told = town.record("a").failing;
    assert!(told[0].failures > 3 && told[0].retry_at_ms.is_none(), "it runs, and may fail again: {told:?}");
    town.run(secs(60));
    assert_eq!(town.record("a").failing, []);
}
