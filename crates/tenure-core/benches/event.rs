//! What one member's decisions cost while nothing moves, and when another member ends: `cargo bench -p tenure-core --bench event`.
//!
//! One machine among many that renew. Nothing is waited for: time is an argument, and the store is a map that answers at once. What
//! is printed is processor time of this machine alone.

use std::collections::BTreeMap;
use std::time::Duration;

use tenure_core::config::Config;
use tenure_core::entropy::Entropy;
use tenure_core::ids::{Epoch, Incarnation, Life, Line, MemberId, Process, ShardId};
use tenure_core::member::Machine;
use tenure_core::message::{Action, CallId, Event, Reply, Request, Versioned, When};
use tenure_core::moment::{Moment, Timing};
use tenure_core::record::{Holding, Key, LedgerPage, MemberRecord, MemberState, Meta, Version};

const TTL: Duration = Duration::from_secs(10);
const LINE: Line = Line(77);

fn main() {
    println!(
        "  members    shards   renewals heard: each, share of a core   a member ends: longest step, all of it"
    );
    for (members, shards) in [(100, 2_048), (1_000, 100_000), (2_000, 100_000)] {
        let mut bench = Bench::new(members, shards);
        let each = bench.renewals();
        let per_second = members as f64 / Timing::for_ttl(TTL).renew_every.as_secs_f64();
        let (longest, all) = bench.one_ends();
        println!(
            "{members:>9} {shards:>9}   {:>13.1} µs {:>19.2} % {:>28.1} ms {:>10.1} ms",
            each.as_secs_f64() * 1e6,
            each.as_secs_f64() * per_second * 100.0,
            longest.as_secs_f64() * 1e3,
            all.as_secs_f64() * 1e3,
        );
    }
}

/// The processor time that this thread has had: what else the machine does is not counted.
fn cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("a time after the beginning")
}

fn id(number: u32) -> MemberId {
    format!("m{number:05}").parse().expect("a member id")
}

fn life(number: u32) -> Life {
    let term = if number == 0 { 2 } else { 1 };
    Life::new(id(number), Incarnation { line: Line(LINE.0 + u128::from(number)), term })
}

/// What a store would hold.
#[derive(Default)]
struct Records {
    records: BTreeMap<String, (Key, Versioned)>,
    versions: u64,
}

impl Records {
    fn put(&mut self, key: Key, value: bytes::Bytes) -> Version {
        self.versions += 1;
        let version = Version::new(self.versions.to_string());
        self.records.insert(format!("{key:?}"), (key, Versioned { version: version.clone(), value }));
        version
    }

    fn get(&self, key: &Key) -> Option<&Versioned> {
        self.records.get(&format!("{key:?}")).map(|(_, found)| found)
    }

    fn answer(&mut self, request: Request) -> Reply {
        match request {
            Request::Get { key, unless } => match self.get(&key) {
                None => Reply::Absent,
                Some(found) if Some(&found.version) == unless.as_ref() => Reply::Unchanged,
                Some(found) => Reply::Found(found.clone()),
            },
            Request::ListMembers => Reply::Members(self.members()),
            Request::Put { key, value, when } => {
                let there = self.get(&key).map(|found| found.version.clone());
                let holds = match when {
                    When::Absent => there.is_none(),
                    When::Is(version) => there == Some(version),
                };
                if holds { Reply::Stored(self.put(key, value)) } else { Reply::Conflict }
            }
            Request::Delete { key, .. } => {
                self.records.remove(&format!("{key:?}"));
                Reply::Deleted
            }
        }
    }

    fn members(&self) -> Vec<(MemberId, Versioned)> {
        let member = |(key, found): &(Key, Versioned)| match key {
            Key::Member(id) => Some((id.clone(), found.clone())),
            Key::Page(_) | Key::Meta => None,
        };
        self.records.values().filter_map(member).collect()
    }
}

/// One machine, its store, its time, and what it has spent.
struct Bench {
    machine: Machine,
    records: Records,
    now: Moment,
    members: u32,
    longest: Duration,
    spent: Duration,
}

impl Bench {
    /// A cluster in which every member owns its share, and this one has joined and acts.
    fn new(members: u32, shards: u32) -> Self {
        let mut bench = Self::founded(members, shards);
        bench.divide(shards);
        bench.machine = machine(shards);
        bench.tell(Event::Start);
        for _ in 0..40 {
            bench.now = bench.now + TTL / 10;
            bench.renew_all();
            bench.pass();
        }
        bench
    }

    fn founded(members: u32, shards: u32) -> Self {
        let now = Moment::from_nanos(1_000_000_000_000);
        let (longest, spent) = (Duration::ZERO, Duration::ZERO);
        let mut bench =
            Self { machine: machine(shards), records: Records::default(), now, members, longest, spent };
        bench.tell(Event::Start);
        bench
    }

    /// Writes the ledger and the records as they are once all have joined.
    fn divide(&mut self, shards: u32) {
        let meta = Meta::decode(&self.records.get(&Key::Meta).expect("a cluster").value).expect("its meta");
        let own = &self.records.get(&Key::Member(id(0))).expect("a member").value;
        let own = MemberRecord::decode(&id(0), own, meta.ttl_max()).expect("its record");
        for number in 0..meta.pages() {
            let key = Key::Page(number);
            let found = self.records.get(&key).expect("a page").value.clone();
            let mut page = LedgerPage::decode(number, &found, &meta).expect("a page");
            for (index, holding) in (0..).zip(&mut page.holdings) {
                let shard = ShardId(number * meta.page_size + index);
                let owner =
                    Some(life((u64::from(shard.0) * u64::from(self.members) / u64::from(shards)) as u32));
                *holding = Holding { owner, epoch: Epoch(1), heir: None, top: Epoch(1) };
            }
            page.generation += 1;
            self.records.put(key, page.encode());
        }
        for number in 0..self.members {
            let state = if number == 0 { MemberState::Gone } else { MemberState::Active };
            let line = Line(LINE.0 + u128::from(number));
            let process = Process(100 + u128::from(number));
            let record = MemberRecord { line, term: 1, process, seq: 1, state, ..own.clone() };
            self.records.put(Key::Member(id(number)), record.encode());
        }
    }

    fn tell(&mut self, event: Event) {
        let mut out = Vec::new();
        let begun = cpu();
        self.machine.handle(self.now, event, &mut out);
        self.took(begun);
        self.carry_out(out);
    }

    fn pass(&mut self) {
        while self.machine.deadline().is_some_and(|at| at <= self.now) {
            let mut out = Vec::new();
            let begun = cpu();
            self.machine.advance(self.now, &mut out);
            self.took(begun);
            if out.is_empty() {
                return;
            }
            self.carry_out(out);
        }
    }

    fn took(&mut self, begun: Duration) {
        let took = cpu() - begun;
        self.spent += took;
        self.longest = self.longest.max(took);
    }

    fn carry_out(&mut self, actions: Vec<Action>) {
        let calls: Vec<(CallId, Request)> = actions
            .into_iter()
            .filter_map(|action| {
                if let Action::Call { call, request } = action { Some((call, request)) } else { None }
            })
            .collect();
        for (call, request) in calls {
            let reply = self.records.answer(request);
            self.tell(Event::Reply { call, reply });
        }
    }

    fn renew(&mut self, number: u32) -> Event {
        let key = Key::Member(id(number));
        let found = self.records.get(&key).expect("a member").value.clone();
        let mut record = MemberRecord::decode(&id(number), &found, TTL * 4).expect("its record");
        record.seq += 1;
        self.records.put(key.clone(), record.encode());
        let record = self.records.get(&key).expect("a member").clone();
        Event::Heard { id: id(number), record }
    }

    fn renew_all(&mut self) {
        self.renew_all_but(0);
    }

    fn renew_all_but(&mut self, ended: u32) {
        for number in (1..self.members).filter(|number| *number != ended) {
            let heard = self.renew(number);
            self.tell(heard);
        }
    }

    fn begin(&mut self) {
        (self.longest, self.spent) = (Duration::ZERO, Duration::ZERO);
    }

    /// What one renewal costs that is heard while nothing else happens.
    fn renewals(&mut self) -> Duration {
        let heard: Vec<Event> = (1..self.members).map(|number| self.renew(number)).collect();
        let begun = cpu();
        let mut out = Vec::new();
        for event in heard {
            self.machine.handle(self.now, event, &mut out);
        }
        let spent = (cpu() - begun) / (self.members - 1);
        self.carry_out(out);
        spent
    }

    /// What it costs when a member ends and its shards are given to others: the longest step, and all of it. The others only renew,
    /// so that in the end it is this one's turn.
    fn one_ends(&mut self) -> (Duration, Duration) {
        let Event::Heard { id, mut record } = self.renew(1) else { unreachable!("a renewal is heard") };
        let mut said = MemberRecord::decode(&id, &record.value, TTL * 4).expect("its record");
        said.state = MemberState::Gone;
        record.version = self.records.put(Key::Member(id.clone()), said.encode());
        record.value = said.encode();
        self.begin();
        self.tell(Event::Heard { id, record });
        let (timing, mut renewed_at) = (Timing::for_ttl(TTL), self.now);
        while self.names_the_ended() {
            for _ in 0..20 {
                self.now = self.now + timing.stagger;
                self.pass();
            }
            if self.now >= renewed_at + timing.renew_every {
                let spent = (self.longest, self.spent);
                self.renew_all_but(1);
                (self.longest, self.spent, renewed_at) = (spent.0, spent.1, self.now);
            }
        }
        (self.longest, self.spent)
    }

    fn names_the_ended(&self) -> bool {
        let meta = Meta::decode(&self.records.get(&Key::Meta).expect("a cluster").value).expect("its meta");
        let ended = id(1);
        (0..meta.pages()).any(|number| {
            let found = &self.records.get(&Key::Page(number)).expect("a page").value;
            let page = LedgerPage::decode(number, found, &meta).expect("a page");
            page.holdings.iter().any(|holding| holding.owner.as_ref().is_some_and(|life| *life.id() == ended))
        })
    }
}

fn machine(shards: u32) -> Machine {
    let config = Config::new(id(0), Process(100), shards, Timing::for_ttl(TTL));
    Machine::new(config, Entropy::new(7))
}
