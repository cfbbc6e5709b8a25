//! Promises that operators take back.

use super::town::{Town, secs, two_at_rest};
use crate::Rules;
use crate::ids::{Epoch, ShardId};
use crate::ledger::Step;
use crate::message::When;
use crate::record::{Holding, Key, LedgerPage, Meta};

impl Town {
    fn page(&self, shard: ShardId) -> (String, LedgerPage, usize) {
        let meta = Meta::decode(&self.store[&Key::Meta.to_string()].value).unwrap();
        let number = shard.0 / meta.page_size;
        let key = Key::Page(number).to_string();
        let page = LedgerPage::decode(number, &self.store[&key].value, &meta).unwrap();
        (key, page, (shard.0 % meta.page_size) as usize)
    }

    fn holding(&self, shard: ShardId) -> Holding {
        let (_, page, index) = self.page(shard);
        page.holdings[index].clone()
    }

    /// Promises the first shard of the first member to the other, as an operator does; the shard, and the promised epoch.
    fn promise(&mut self) -> (ShardId, Epoch) {
        let shard = self.owned(0)[0];
        let heir = self.record("b").life(&"b".parse().unwrap());
        let (key, mut page, index) = self.page(shard);
        page.holdings[index] = Step::Promise(heir).apply(&page.holdings[index], Rules::ALL);
        page.generation += 1;
        let epoch = page.holdings[index].top;
        let version = self.store[&key].version.clone();
        self.put(key, page.encode(), When::Is(version));
        (shard, epoch)
    }

    fn ask_back(&mut self, what: (ShardId, Epoch)) {
        self.rewrite("b", |record| record.give_back = record.give_back.with([what]));
    }
}

#[test]
fn an_heir_gives_back_what_it_has_not_begun_and_the_owner_goes_on() {
    let mut town = two_at_rest();
    town.houses[0].obliging = false;
    let (shard, epoch) = town.promise();
    town.run(secs(2));
    assert!(town.owned(0).contains(&shard), "its work does not end yet");
    town.ask_back((shard, epoch));
    town.run(secs(8));
    assert!(town.owned(0).contains(&shard) && !town.owned(1).contains(&shard));
    let holding = town.holding(shard);
    assert_eq!((holding.heir, holding.top), (None, epoch));
    assert!(town.record("b").give_back.is_empty(), "the wish was judged");
}

#[test]
fn an_heir_keeps_what_it_has_begun() {
    let mut town = two_at_rest();
    let (shard, epoch) = town.promise();
    while !town.owned(1).contains(&shard) {
        town.run(std::time::Duration::from_millis(10));
    }
    town.ask_back((shard, epoch));
    town.run(std::time::Duration::from_millis(200));
    assert!(town.owned(1).contains(&shard), "nobody takes it away");
    town.run(secs(4));
    assert!(town.record("b").give_back.is_empty(), "the wish was judged");
}

#[test]
fn a_wish_that_comes_before_the_page_it_speaks_of_waits_for_it() {
    let mut town = two_at_rest();
    town.houses[0].obliging = false;
    let shard = town.owned(0)[0];
    let epoch = town.holding(shard).top.next();
    town.ask_back((shard, epoch));
    town.run(secs(4));
    assert!(!town.record("b").give_back.is_empty(), "nothing of it is known yet");
    assert_eq!(town.promise(), (shard, epoch));
    town.run(secs(8));
    assert!(town.owned(0).contains(&shard) && town.holding(shard).heir.is_none());
}
