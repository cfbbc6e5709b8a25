//! Whole members over a perfect store, for tests: a few members, one store, one clock.

use std::collections::BTreeMap;
use std::time::Duration;

use super::Machine;
use crate::config::Config;
use crate::entropy::Entropy;
use crate::guard::Seat;
use crate::ids::{MemberId, Process, ShardId};
use crate::message::{Action, Event, Notice, Outcome, Reply, Request, Versioned, When};
use crate::moment::{Moment, Timing};
use crate::record::{Key, LedgerPage, MemberRecord, Meta, Version};

/// A few members, one perfect store, one clock.
pub(super) struct Town {
    pub(super) now: Moment,
    pub(super) store: BTreeMap<String, Versioned>,
    pub(super) versions: u64,
    pub(super) writes: u64,
    /// What was read, since somebody last asked.
    pub(super) reads: Vec<String>,
    pub(super) houses: Vec<House>,
}

pub(super) struct House {
    pub(super) machine: Machine,
    pub(super) seats: BTreeMap<ShardId, Seat>,
    pub(super) notices: Vec<Notice>,
    pub(super) ended: bool,
    /// Whether work ends when it is asked to drain.
    pub(super) obliging: bool,
    pub(super) cut_off: bool,
    /// A shard whose work fails as soon as it starts.
    pub(super) broken: Option<ShardId>,
}

pub(super) fn timing() -> Timing {
    Timing::for_ttl(Duration::from_secs(10))
}

impl Town {
    pub(super) fn new() -> Self {
        let now = Moment::from_nanos(1_000_000_000_000);
        Self { now, store: BTreeMap::new(), versions: 0, writes: 0, reads: Vec::new(), houses: Vec::new() }
    }

    pub(super) fn add(&mut self, name: &str, shards: u32) -> usize {
        let process = Process(u128::from(self.houses.len() as u64 + 1) << 96);
        let id: MemberId = name.parse().unwrap();
        self.add_as(Config { page_size: 5, ..Config::new(id, process, shards, timing()) })
    }

    pub(super) fn add_as(&mut self, config: Config) -> usize {
        let process = config.process;
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

    pub(super) fn tell(&mut self, index: usize, event: Event) {
        let mut events = vec![event];
        while let Some(event) = events.pop() {
            let mut actions = Vec::new();
            self.houses[index].machine.handle(self.now, event, &mut actions);
            let more = self.carry_out(index, actions);
            events.splice(0..0, more.into_iter().rev());
        }
    }

    pub(super) fn carry_out(&mut self, index: usize, actions: Vec<Action>) -> Vec<Event> {
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

    pub(super) fn answer(&mut self, index: usize, request: Request) -> Reply {
        if self.houses[index].cut_off {
            return Reply::Failed(crate::message::Fault::Unavailable("cut off".into()));
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

    pub(super) fn put(&mut self, key: String, value: bytes::Bytes, when: When) -> Reply {
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
    pub(super) fn drain(&mut self, name: &str, drained: bool) {
        self.rewrite(name, |record| record.drained = drained);
    }

    pub(super) fn rewrite(&mut self, name: &str, change: impl FnOnce(&mut MemberRecord)) {
        let key = format!("members/{name}");
        let id: MemberId = name.parse().unwrap();
        let mut record = MemberRecord::decode(&id, &self.store[&key].value, secs(40)).unwrap();
        change(&mut record);
        let version = self.store[&key].version.clone();
        self.put(key, record.encode(), When::Is(version));
    }

    pub(super) fn run(&mut self, span: Duration) {
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

    pub(super) fn owned(&self, index: usize) -> Vec<ShardId> {
        let house = &self.houses[index];
        house.seats.values().filter(|seat| seat.holds(self.now)).map(Seat::shard).collect()
    }

    /// The work that runs for a shard fails now.
    pub(super) fn fail(&mut self, shard: ShardId) {
        for index in 0..self.houses.len() {
            let seat = self.houses[index].seats.get(&shard).filter(|seat| seat.holds(self.now)).cloned();
            if let Some(seat) = seat {
                self.tell(index, failed(&seat));
            }
        }
    }

    pub(super) fn assert_exclusive(&self) {
        let mut owners: BTreeMap<ShardId, usize> = BTreeMap::new();
        for index in 0..self.houses.len() {
            for shard in self.owned(index) {
                assert_eq!(owners.insert(shard, index), None, "{shard:?} has two owners");
            }
        }
    }

    /// How many shards have an heir.
    pub(super) fn on_the_move(&self) -> usize {
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

    pub(super) fn counts(&self) -> Vec<usize> {
        (0..self.houses.len()).map(|index| self.owned(index).len()).collect()
    }
}

pub(super) fn failed(seat: &Seat) -> Event {
    Event::Ended { shard: seat.shard(), epoch: seat.epoch(), outcome: Outcome::Failed("broken".into()) }
}

pub(super) fn ended(seat: &Seat) -> Event {
    Event::Ended { shard: seat.shard(), epoch: seat.epoch(), outcome: Outcome::Done }
}

pub(super) fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Two members that have settled, and nobody has read anything since.
pub(super) fn two_at_rest() -> Town {
    let mut town = Town::new();
    town.add("a", 12);
    town.add("b", 12);
    town.run(secs(30));
    town.reads.clear();
    town
}
