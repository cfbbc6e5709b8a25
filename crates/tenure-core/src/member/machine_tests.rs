//! Whole members over a perfect store: what they do, and in which order.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{Action, Config, Event, Machine, Notice, Outcome, Reply, Request, Versioned, When};
use crate::entropy::Entropy;
use crate::guard::Seat;
use crate::ids::{MemberId, Process, ShardId};
use crate::moment::{Moment, Timing};
use crate::record::{Key, LedgerPage, MemberRecord, Meta, Version};

#[path = "glance_tests.rs"]
mod glances;

/// A few members, one perfect store, one clock.
struct Town {
    now: Moment,
    store: BTreeMap<String, Versioned>,
    versions: u64,
    writes: u64,
    /// What was read, since somebody last asked.
    reads: Vec<String>,
    houses: Vec<House>,
}

struct House {
    machine: Machine,
    seats: BTreeMap<ShardId, Seat>,
    notices: Vec<Notice>,
    ended: bool,
    /// Whether work ends when it is asked to drain.
    obliging: bool,
    cut_off: bool,
    /// A shard whose work fails as soon as it starts.
    broken: Option<ShardId>,
}

fn timing() -> Timing {
    Timing::for_ttl(Duration::from_secs(10))
}

impl Town {
    fn new() -> Self {
        let now = Moment::from_nanos(1_000_000_000_000);
        Self { now, store: BTreeMap::new(), versions: 0, writes: 0, reads: Vec::new(), houses: Vec::new() }
    }

    fn add(&mut self, name: &str, shards: u32) -> usize {
        let process = Process(u128::from(self.houses.len() as u64 + 1) << 96);
        let id: MemberId = name.parse().unwrap();
        let config = Config { page_size: 5, ..Config::new(id, process, shards, timing()) };
        let machine = Machine::new(config, Entropy::new(process.0));
        self.houses.push(House {
            machine,
            seats: BTreeMap::new(),
            notices: Vec::new(),
            ended: false,
            obliging: true,
            cut_off: false,
            broken: None,
        });
        let index = self.houses.len() - 1;
        self.tell(index, Event::Start);
        index
    }

    fn tell(&mut self, index: usize, event: Event) {
        let mut events = vec![event];
        while let Some(event) = events.pop() {
            let mut actions = Vec::new();
            self.houses[index].machine.handle(self.now, event, &mut actions);
            let more = self.carry_out(index, actions);
            events.splice(0..0, more.into_iter().rev());
        }
    }

    fn carry_out(&mut self, index: usize, actions: Vec<Action>) -> Vec<Event> {
        let mut events = Vec::new();
        for action in actions {
            match action {
                Action::Call { call, request } => {
                    let reply = self.answer(index, request);
                    events.push(Event::Reply { call, reply });
                }
                Action::Act(seat) => {
                    assert!(seat.holds(self.now), "work is started only while its seat holds");
                    if self.houses[index].broken == Some(seat.shard()) {
                        events.push(failed(&seat));
                    }
                    self.houses[index].seats.insert(seat.shard(), seat);
                }
                Action::Drain { seat, .. } if self.houses[index].obliging => events.push(ended(&seat)),
                Action::Interrupt(seat) => {
                    assert!(!seat.holds(self.now), "work is interrupted only after its guard is closed");
                    events.push(ended(&seat));
                }
                Action::Notice(notice) => self.houses[index].notices.push(notice),
                Action::End(_) => self.houses[index].ended = true,
                Action::Drain { .. } | Action::Warm(_) | Action::Resume(_) | Action::Cool(_) => {}
                Action::Grant(_) | Action::Abort(_) => {}
            }
        }
        events
    }

    fn answer(&mut self, index: usize, request: Request) -> Reply {
        if self.houses[index].cut_off {
            return Reply::Failed(super::Fault::Unavailable("cut off".into()));
        }
        match &request {
            Request::Get { key, .. } => self.reads.push(key.to_string()),
            Request::ListMembers => self.reads.push("members".into()),
            Request::Put { .. } | Request::Delete { .. } => {}
        }
        match request {
            Request::Get { key, unless } => match self.store.get(&key.to_string()) {
                None => Reply::Absent,
                Some(found) if Some(&found.version) == unless.as_ref() => Reply::Unchanged,
                Some(found) => Reply::Found(found.clone()),
            },
            Request::ListMembers => {
                let members = self.store.iter().filter_map(|(key, found)| match Key::parse(key) {
                    Some(Key::Member(id)) => Some((id, found.clone())),
                    _ => None,
                });
                Reply::Members(members.collect())
            }
            Request::Put { key, value, when } => self.put(key.to_string(), value, when),
            Request::Delete { key, version } => {
                let there = self.store.get(&key.to_string()).is_some_and(|found| found.version == version);
                if there {
                    self.store.remove(&key.to_string());
                }
                if there { Reply::Deleted } else { Reply::Conflict }
            }
        }
    }

    fn put(&mut self, key: String, value: bytes::Bytes, when: When) -> Reply {
        let present = self.store.get(&key).map(|found| found.version.clone());
        let may = match when {
            When::Absent => present.is_none(),
            When::Is(version) => present == Some(version),
        };
        if !may {
            return Reply::Conflict;
        }
        self.versions += 1;
        self.writes += 1;
        let version = Version::new(self.versions.to_string());
        self.store.insert(key, Versioned { version: version.clone(), value });
        Reply::Stored(version)
    }

    /// Writes an operator's wish into a member's record.
    fn drain(&mut self, name: &str, drained: bool) {
        self.rewrite(name, |record| record.drained = drained);
    }

    fn rewrite(&mut self, name: &str, change: impl FnOnce(&mut MemberRecord)) {
        let key = format!("members/{name}");
        let id: MemberId = name.parse().unwrap();
        let mut record = MemberRecord::decode(&id, &self.store[&key].value, secs(40)).unwrap();
        change(&mut record);
        let version = self.store[&key].version.clone();
        self.put(key, record.encode(), When::Is(version));
    }

    fn run(&mut self, span: Duration) {
        let end = self.now + span;
        loop {
            let due = self.houses.iter().zip(0..).filter(|(house, _)| !house.ended);
            let next = due.filter_map(|(house, index)| house.machine.deadline().map(|at| (at, index))).min();
            let Some((at, index)) = next.filter(|(at, _)| *at <= end) else { break };
            self.now = self.now.max(at);
            let mut actions = Vec::new();
            self.houses[index].machine.advance(self.now, &mut actions);
            for event in self.carry_out(index, actions) {
                self.tell(index, event);
            }
            self.assert_exclusive();
        }
        self.now = end;
    }

    fn owned(&self, index: usize) -> Vec<ShardId> {
        let house = &self.houses[index];
        house.seats.values().filter(|seat| seat.holds(self.now)).map(Seat::shard).collect()
    }

    /// The work that runs for a shard fails now.
    fn fail(&mut self, shard: ShardId) {
        for index in 0..self.houses.len() {
            let seat = self.houses[index].seats.get(&shard).filter(|seat| seat.holds(self.now)).cloned();
            if let Some(seat) = seat {
                self.tell(index, failed(&seat));
            }
        }
    }

    fn assert_exclusive(&self) {
        let mut owners: BTreeMap<ShardId, usize> = BTreeMap::new();
        for index in 0..self.houses.len() {
            for shard in self.owned(index) {
                assert_eq!(owners.insert(shard, index), None, "{shard:?} has two owners");
            }
        }
    }

    /// How many shards have an heir.
    fn on_the_move(&self) -> usize {
        let meta = Meta::decode(&self.store[&Key::Meta.to_string()].value).unwrap();
        let heirs = |number: u32, found: &Versioned| {
            let page = LedgerPage::decode(number, &found.value, &meta).unwrap();
            page.holdings.iter().filter(|holding| holding.heir.is_some()).count()
        };
        let of = |(key, found): (&String, &Versioned)| match Key::parse(key) {
            Some(Key::Page(number)) => heirs(number, found),
            _ => 0,
        };
        self.store.iter().map(of).sum()
    }

    fn counts(&self) -> Vec<usize> {
        (0..self.houses.len()).map(|index| self.owned(index).len()).collect()
    }
}

fn failed(seat: &Seat) -> Event {
    Event::Ended { shard: seat.shard(), epoch: seat.epoch(), outcome: Outcome::Failed("broken".into()) }
}

fn ended(seat: &Seat) -> Event {
    Event::Ended { shard: seat.shard(), epoch: seat.epoch(), outcome: Outcome::Done }
}

fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

#[test]
fn a_lone_member_founds_the_cluster_and_owns_every_shard() {
    let mut town = Town::new();
    town.add("a", 12);
    town.run(secs(3));
    assert_eq!(town.counts(), [12]);
    assert_eq!(town.houses[0].machine.snapshot(town.now).unowned, []);
}

#[test]
fn the_first_plan_waits_until_the_members_are_settled() {
    let mut town = Town::new();
    town.add("a", 12);
    town.add("b", 12);
    town.add("c", 12);
    town.run(secs(5));
    assert_eq!(town.counts(), [4, 4, 4]);
    let promised = town
        .houses
        .iter()
        .flat_map(|house| &house.notices)
        .filter(|notice| matches!(notice, Notice::Planned { reason, .. } if reason.contains("balance")));
    assert_eq!(promised.count(), 0, "nobody grabbed what it had to give back");
}

#[test]
fn a_joiner_gets_its_share() {
    let mut town = Town::new();
    town.add("a", 12);
    town.run(secs(5));
    town.add("b", 12);
    town.run(secs(10));
    assert_eq!(town.counts(), [6, 6]);
}

#[test]
fn no_more_shards_are_on_the_move_at_once_than_the_budget_allows() {
    let mut town = Town::new();
    town.add("ada", 100);
    town.run(secs(30));
    town.houses[0].obliging = false;
    town.add("ben", 100);
    town.run(secs(8));
    assert_eq!(town.on_the_move(), 25, "a quarter of the shards, although half of them are to go");
}

#[test]
fn a_leaver_hands_everything_on_and_ends() {
    let mut town = Town::new();
    town.add("a", 12);
    town.add("b", 12);
    town.run(secs(5));
    town.tell(0, Event::Leave);
    town.run(secs(3));
    assert_eq!(town.counts(), [0, 12]);
    assert!(town.houses[0].ended);
}

#[test]
fn a_member_that_is_cut_off_stops_before_anybody_else_begins_and_comes_back() {
    let mut town = Town::new();
    town.add("a", 12);
    town.add("b", 12);
    town.run(secs(5));
    town.houses[0].cut_off = true;
    town.run(secs(8));
    assert_eq!(town.counts(), [0, 6], "it stopped, and nobody has its shards yet");
    town.run(secs(12));
    assert_eq!(town.counts(), [0, 12]);
    town.houses[0].cut_off = false;
    town.run(secs(10));
    assert_eq!(town.counts(), [6, 6], "it came back by itself");
}

#[test]
fn a_process_that_is_proven_dead_is_replaced_at_once() {
    let mut town = Town::new();
    town.add("a", 12);
    town.add("b", 12);
    town.run(secs(5));
    town.houses[0].ended = true;
    for seat in town.houses[0].seats.values() {
        seat.close();
    }
    town.tell(1, Event::Died(Process(1 << 96)));
    assert_eq!(town.counts(), [0, 12]);
}

#[test]
fn idle_writes_do_not_depend_on_the_number_of_shards() {
    let idle_writes = |shards: u32| {
        let mut town = Town::new();
        town.add("a", shards);
        town.add("b", shards);
        town.run(secs(60));
        let before = town.writes;
        town.run(secs(600));
        town.writes - before
    };
    assert_eq!(idle_writes(16), idle_writes(400));
}

#[test]
fn a_shard_count_that_differs_from_the_clusters_is_refused() {
    let mut town = Town::new();
    town.add("a", 12);
    town.run(secs(1));
    let config = Config::new("b".parse().unwrap(), Process(99), 13, timing());
    let mut machine = Machine::new(config, Entropy::new(9));
    let mut actions = Vec::new();
    machine.handle(town.now, Event::Start, &mut actions);
    let Some(Action::Call { call, .. }) = actions.pop() else { panic!("it reads meta first") };
    let meta = town.store["meta"].clone();
    machine.handle(town.now, Event::Reply { call, reply: Reply::Found(meta) }, &mut actions);
    let Some(Action::End(super::Ending::Mismatch { setting, problem })) = actions.pop() else {
        panic!("it ends")
    };
    assert_eq!(setting, "shards");
    assert!(problem.contains("use 12"), "{problem}");
}

#[test]
fn a_member_that_an_operator_drains_hands_everything_on_and_takes_it_back_when_that_is_undone() {
    let mut town = Town::new();
    town.add("a", 12);
    town.add("b", 12);
    town.run(secs(5));
    town.drain("a", true);
    town.run(secs(5));
    assert_eq!(town.counts(), [0, 12]);
    town.run(secs(60));
    assert_eq!(town.counts(), [0, 12], "its renewals keep what the operator wrote");
    town.drain("a", false);
    town.run(secs(10));
    assert_eq!(town.counts(), [6, 6]);
}

#[test]
fn a_shard_that_fails_everywhere_comes_to_rest_and_goes_on_being_tried() {
    let mut town = Town::new();
    town.add("a", 2);
    town.add("b", 2);
    town.run(secs(5));
    for house in &mut town.houses {
        house.broken = Some(ShardId(0));
    }
    town.fail(ShardId(0));
    town.run(secs(90));
    let epochs = |town: &Town| town.houses[0].machine.snapshot(town.now).holdings[0].epoch;
    let before = epochs(&town);
    assert!(before.0 >= 2, "it was handed on");
    town.run(secs(8));
    assert_eq!(epochs(&town), before, "the ledger is not written for every failure");
    for house in &mut town.houses {
        house.broken = None;
    }
    town.run(secs(120));
    assert_eq!(town.counts().iter().sum::<usize>(), 2);
}

fn two_at_rest() -> Town {
    let mut town = Town::new();
    town.add("a", 12);
    town.add("b", 12);
    town.run(secs(30));
    town.reads.clear();
    town
}

fn looks_of_one_second(town: &mut Town) -> usize {
    town.reads.clear();
    town.run(secs(1));
    town.reads.iter().filter(|read| *read == "members").count()
}

#[test]
fn whoever_waits_for_a_shard_looks_more_often() {
    let mut town = two_at_rest();
    let at_rest = looks_of_one_second(&mut town);
    town.houses[1].obliging = false;
    town.tell(1, Event::Leave);
    town.run(secs(2));
    assert!(town.houses[0].machine.snapshot(town.now).work.iter().any(|work| work.state == "warming"));
    assert!(looks_of_one_second(&mut town) > at_rest + 1);
}
