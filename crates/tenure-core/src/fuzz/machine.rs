//! A whole member over spoilt records: it founds, joins, looks, plans, owns and leaves, for a few virtual minutes.

use std::collections::VecDeque;
use std::time::Duration;

use super::onlooker::assert_readable;
use super::scene::{Records, the_meta};
use crate::config::Config;
use crate::entropy::Entropy;
use crate::guard::Seat;
use crate::ids::Process;
use crate::member::Machine;
use crate::message::{Action, Event, Notice, Outcome, Reply, Request, When};
use crate::moment::{Moment, Timing};
use crate::plan::Placement;
use crate::record::Key;

/// More shards than this take long, and do nothing else.
const SHARDS_MAX: u32 = 64;

/// So many events, and so many waits, is a member followed for.
const EVENTS: usize = 400;
const WAITS: usize = 60;

/// Runs a member over these records; its work does as it is told. What it noticed.
pub(super) fn lives(records: Records) -> Vec<Notice> {
    hears(records, &[])
}

/// Runs a member over these records, to whom all of `said` is said again and again.
pub(super) fn hears(records: Records, said: &[Event]) -> Vec<Notice> {
    let shards = records.meta().map_or_else(|| the_meta().shards, |meta| meta.shards);
    if shards > SHARDS_MAX {
        return Vec::new();
    }
    let mut town = Town::new(records, shards);
    town.tell(Event::Start);
    for wait in 0..WAITS {
        said.iter().for_each(|event| town.tell(event.clone()));
        town.catch_up();
        let Some(deadline) = town.machine.deadline() else { break };
        town.now = town.now.max(deadline) + Duration::from_millis(1);
        town.advance();
        match wait {
            40 => town.tell(Event::Leave),
            50 => town.tell(Event::Hurry),
            _ => {}
        }
    }
    serde_json::to_string(&town.machine.snapshot(town.now)).expect("a snapshot is JSON");
    town.notices
}

struct Town {
    records: Records,
    machine: Machine,
    now: Moment,
    events: VecDeque<Event>,
    notices: Vec<Notice>,
    left: usize,
}

impl Town {
    fn new(records: Records, shards: u32) -> Self {
        let timing = Timing::for_ttl(Duration::from_millis(800));
        let config = Config::new("d".parse().unwrap(), Process(4), shards, timing);
        let config = Config { page_size: 4, placement: Placement::External, ..config };
        let machine = Machine::new(config, Entropy::new(4));
        let now = Moment::from_nanos(1_000_000_000_000);
        Self { records, machine, now, events: VecDeque::new(), notices: Vec::new(), left: EVENTS }
    }

    fn tell(&mut self, event: Event) {
        self.events.push_back(event);
    }

    fn advance(&mut self) {
        let mut actions = Vec::new();
        self.machine.advance(self.now, &mut actions);
        actions.into_iter().for_each(|action| self.carry_out(action));
    }

    fn catch_up(&mut self) {
        while let Some(event) = self.events.pop_front().filter(|_| self.left > 0) {
            self.left -= 1;
            let mut actions = Vec::new();
            self.machine.handle(self.now, event, &mut actions);
            actions.into_iter().for_each(|action| self.carry_out(action));
        }
    }

    fn carry_out(&mut self, action: Action) {
        match action {
            Action::Call { call, request } => {
                let reply = self.answer(request);
                self.tell(Event::Reply { call, reply });
            }
            Action::Drain { seat, .. } | Action::Interrupt(seat) => self.tell(ended(&seat)),
            Action::Act(_) | Action::Warm(_) | Action::Resume(_) | Action::Cool(_) => {}
            Action::Notice(notice) => self.notices.push(notice),
            Action::Grant(_) | Action::Abort(_) | Action::End(_) => {}
        }
    }

    fn answer(&mut self, request: Request) -> Reply {
        if matches!(request, Request::Put { .. }) {
            assert_readable(&request, &self.records.meta().unwrap_or_else(the_meta));
        }
        match request {
            Request::Get { key, unless } => match self.records.get(&key) {
                None => Reply::Absent,
                Some(found) if Some(&found.version) == unless.as_ref() => Reply::Unchanged,
                Some(found) => Reply::Found(found.clone()),
            },
            Request::ListMembers => Reply::Members(self.records.members()),
            Request::Put { key, value, when } => self.put(&key, value, &when),
            Request::Delete { key, .. } => {
                self.records.0.remove(&key.to_string());
                Reply::Deleted
            }
        }
    }

    fn put(&mut self, key: &Key, value: bytes::Bytes, when: &When) -> Reply {
        let present = self.records.get(key).map(|found| &found.version);
        let may = match when {
            When::Absent => present.is_none(),
            When::Is(version) => present == Some(version),
        };
        if may { Reply::Stored(self.records.put(key, value)) } else { Reply::Conflict }
    }
}

fn ended(seat: &Seat) -> Event {
    Event::Ended { shard: seat.shard(), epoch: seat.epoch(), outcome: Outcome::Done }
}
