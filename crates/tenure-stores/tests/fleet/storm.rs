//! Random blows to a fleet, and what must be true afterwards.
//!
//! Members are killed, frozen and told to leave; whatever else a store's test can hurt, links and servers, comes as a
//! [`Blow`]. All of it overlaps at random, but nothing is left out: blows are dealt from a [`Deck`] that has every one of them.
//! Then everything is healed, and the fleet must be whole by itself: nobody starts a member again that the storm did not end,
//! and a member that ends on its own fails the test.

use std::fmt;
use std::ops::Range;
use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use rustix::process::Signal;
use tenure::clock::Clock;
use tenure_core::moment::Moment;

use super::{Beats, Comeback, Deck, Fleet};

/// Says how many blows fall, instead of what is usual.
const BLOWS: &str = "TENURE_BLOWS";

/// How many blows fall: as many as usual, or as is said from outside.
pub fn blows(usual: usize) -> usize {
    std::env::var(BLOWS).ok().and_then(|told| told.parse().ok()).unwrap_or(usual)
}

/// How often the storm looks at what is due.
const TICK: Duration = Duration::from_millis(5);

/// Something apart from the members that can be hurt and healed.
pub trait Blow {
    /// Hurts it.
    fn strike(&mut self);

    /// Makes it whole again.
    fn heal(&mut self);

    /// Whether it can be hurt at present: if something else hurts the same thing, it can't.
    fn can_strike(&self) -> bool {
        true
    }
}

/// What can happen to one member.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    Kill,
    Leave,
    FreezeShort,
    FreezeLong,
}

const FAULTS: [Fault; 4] = [Fault::Kill, Fault::Leave, Fault::FreezeShort, Fault::FreezeLong];

/// How one member fares.
#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Awake,
    Frozen { until: Moment, long: bool },
    Leaving,
    Down { until: Moment },
}

/// A blow that comes up now and then, but surely.
struct Hazard {
    name: String,
    blow: Box<dyn Blow>,
    /// How long it lasts, in leases.
    lasts: Range<f64>,
    heal_at: Option<Moment>,
}

impl Hazard {
    fn is_idle(&self) -> bool {
        self.heal_at.is_none() && self.blow.can_strike()
    }
}

/// What can be dealt.
#[derive(Clone, Copy, PartialEq)]
enum Card {
    Member(usize, Fault),
    Hazard(usize),
}

/// The blows, dealt by a seed so that a run can be repeated as far as the machine allows.
pub struct Storm {
    fleet: Fleet,
    clock: Clock,
    dice: fastrand::Rng,
    states: Vec<State>,
    comebacks: Vec<Comeback>,
    hazards: Vec<Hazard>,
    struck: Vec<Card>,
    at_most: usize,
    begun: Moment,
}

impl Storm {
    /// A storm over a fleet that has settled. The seed is `TENURE_SEED`, or always the same.
    pub fn new(fleet: Fleet) -> Self {
        let seed = std::env::var("TENURE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(4711);
        println!("TENURE_SEED={seed}");
        let (clock, members) = (Clock::boot(), fleet.members.len());
        let (states, comebacks) = (vec![State::Awake; members], vec![Comeback::default(); members]);
        let (dice, begun) = (fastrand::Rng::with_seed(seed), clock.now());
        let (hazards, struck) = (Vec::new(), Vec::new());
        Self { fleet, clock, dice, states, comebacks, hazards, struck, at_most: usize::MAX, begun }
    }

    /// The same storm with one more hazard, which lasts for that many leases.
    pub fn with(mut self, name: impl Into<String>, lasts: Range<f64>, blow: impl Blow + 'static) -> Self {
        self.hazards.push(Hazard { name: name.into(), blow: Box::new(blow), lasts, heal_at: None });
        self
    }

    /// The same storm with no more than that many hurt at once: where so much can be hurt, little else would ever run.
    pub fn at_most(mut self, hurt: usize) -> Self {
        self.at_most = hurt;
        self
    }

    /// Strikes that often, or as often as is said from outside, then heals everything.
    pub fn rage(&mut self, usual: usize) {
        let blows = blows(usual);
        let mut deck = Deck::new(self.cards(), self.dice.fork());
        // Ends: what is hurt heals with time, and can be hurt again.
        while self.struck.len() < blows {
            self.strike(&mut deck);
            let pause = self.dice.u64(100..500);
            self.pass(Duration::from_millis(pause));
        }
        self.calm();
    }

    /// Every fault for every member, and every hazard.
    fn cards(&self) -> Vec<Card> {
        let members = (0..self.states.len()).flat_map(|index| FAULTS.map(|fault| Card::Member(index, fault)));
        members.chain((0..self.hazards.len()).map(Card::Hazard)).collect()
    }

    fn strike(&mut self, deck: &mut Deck<Card>) {
        let Some(card) = deck.deal(|card| self.can_strike(card)) else { return };
        match card {
            Card::Member(index, fault) => self.hit(index, fault),
            Card::Hazard(index) => self.begin(index),
        }
        self.struck.push(card);
    }

    fn can_strike(&self, card: Card) -> bool {
        self.hurt() < self.at_most
            && match card {
                Card::Member(index, fault) => self.can_hit(index, fault),
                Card::Hazard(index) => self.hazards[index].is_idle(),
            }
    }

    fn can_hit(&self, index: usize, fault: Fault) -> bool {
        let allows =
            |comeback: Comeback| comeback.allows(fault == Fault::FreezeLong, self.fleet.written(index));
        self.states[index] == State::Awake && allows(self.comebacks[index])
    }

    fn hurt(&self) -> usize {
        let members = self.states.iter().filter(|state| **state != State::Awake).count();
        members + self.hazards.iter().filter(|hazard| hazard.heal_at.is_some()).count()
    }

    fn hit(&mut self, index: usize, fault: Fault) {
        self.say(format_args!("{}", self.name(Card::Member(index, fault))));
        let member = &mut self.fleet.members[index];
        self.states[index] = match fault {
            Fault::Kill => {
                member.kill();
                self.down()
            }
            Fault::Leave => {
                member.signal(Signal::TERM);
                State::Leaving
            }
            Fault::FreezeShort => State::Frozen { until: self.freeze(index, 0.1..0.7), long: false },
            Fault::FreezeLong => State::Frozen { until: self.freeze(index, 1.3..2.2), long: true },
        };
    }

    fn down(&mut self) -> State {
        State::Down { until: self.clock.now() + Duration::from_millis(self.dice.u64(..400)) }
    }

    fn freeze(&mut self, index: usize, leases: Range<f64>) -> Moment {
        let until = self.later(leases);
        self.fleet.members[index].signal(Signal::STOP);
        until
    }

    fn begin(&mut self, index: usize) {
        let until = self.later(self.hazards[index].lasts.clone());
        self.say(format_args!("{}", self.hazards[index].name));
        self.hazards[index].blow.strike();
        self.hazards[index].heal_at = Some(until);
    }

    fn later(&mut self, leases: Range<f64>) -> Moment {
        let share = leases.start + self.dice.f64() * (leases.end - leases.start);
        self.clock.now() + self.fleet.ttl().mul_f64(share)
    }

    /// Lets time pass; whatever is due meanwhile is done.
    fn pass(&mut self, span: Duration) {
        let until = self.clock.now() + span;
        while self.clock.now() < until {
            self.tend();
            std::thread::sleep(TICK);
        }
    }

    fn tend(&mut self) {
        let now = self.clock.now();
        (0..self.hazards.len()).for_each(|index| self.heal_if_due(index, now));
        (0..self.states.len()).for_each(|index| self.go_on_if_due(index, now));
    }

    fn heal_if_due(&mut self, index: usize, now: Moment) {
        let hazard = &mut self.hazards[index];
        if hazard.heal_at.is_some_and(|at| now >= at) {
            hazard.heal_at = None;
            hazard.blow.heal();
            self.say(format_args!("over: {}", self.hazards[index].name));
        }
    }

    fn go_on_if_due(&mut self, index: usize, now: Moment) {
        match self.states[index] {
            State::Frozen { until, long } if now >= until => self.thaw(index, long),
            State::Down { until } if now >= until => {
                self.fleet.restart(index);
                self.become_awake(index, "starts");
            }
            State::Leaving => self.note_leaving(index),
            State::Awake => {
                self.assert_alive(index);
                self.comebacks[index].look(self.fleet.written(index));
            }
            State::Frozen { .. } | State::Down { .. } => {}
        }
    }

    fn thaw(&mut self, index: usize, long: bool) {
        self.assert_alive(index);
        if long {
            self.comebacks[index].wake(self.fleet.written(index));
        }
        self.fleet.members[index].signal(Signal::CONT);
        self.become_awake(index, "goes on");
    }

    fn become_awake(&mut self, index: usize, how: &str) {
        self.states[index] = State::Awake;
        self.say(format_args!("{} {how}", self.fleet.members[index].spec.id));
    }

    fn note_leaving(&mut self, index: usize) {
        let member = &mut self.fleet.members[index];
        let Some(status) = member.ended() else { return };
        // One that has only just begun does not listen to the signal yet, and ends by it.
        let by_signal = status.signal() == Some(Signal::TERM.as_raw());
        assert!(status.success() || by_signal, "{} left with {status}", member.spec.id);
        self.say(format_args!("{} has left", self.fleet.members[index].spec.id));
        self.states[index] = self.down();
    }

    /// Whatever happens to its lease, a member comes back by itself.
    fn assert_alive(&mut self, index: usize) {
        if let Some(status) = self.fleet.members[index].ended() {
            let (id, when) = (&self.fleet.members[index].spec.id, self.since_begin());
            panic!("{id} ended by itself, with {status}, {when:.3?} after the begin");
        }
    }

    fn calm(&mut self) {
        for hazard in &mut self.hazards {
            hazard.heal_at = hazard.heal_at.map(|_| Moment::ZERO);
        }
        // Ends: the frozen go on at a set time, and a member that leaves has a limit for it.
        while self.states.iter().any(|state| *state != State::Awake) {
            self.pass(TICK);
        }
        self.tend();
        self.say(format_args!("calm"));
    }

    /// Waits until every member has shards again; then nothing that was ever written down may refute exclusive ownership. A storm
    /// that left something out, or after which a member had not come back from a lapse, proves nothing.
    pub fn prove(&mut self) -> Beats {
        let calm = self.clock.now().as_nanos();
        let counts = self.fleet.settle(calm, |counts| counts.iter().all(|count| *count > 0));
        (0..self.states.len()).for_each(|index| self.assert_alive(index));
        let beats = self.fleet.beats();
        let (told, tenures) = (beats.count(), beats.tenures());
        let returns = beats.returns(self.fleet.ttl());
        println!("{told} beats in {tenures} tenures, {returns} returns from a lapse; at the end {counts:?}");
        assert_eq!(beats.violations(), Vec::<String>::new());
        assert_eq!(self.left_out(), Vec::<String>::new(), "never happened");
        assert!(returns >= self.states.len(), "not every member came back from a lapse: {returns} returns");
        beats
    }

    fn left_out(&self) -> Vec<String> {
        let never = self.cards().into_iter().filter(|card| !self.struck.contains(card));
        never.map(|card| self.name(card)).collect()
    }

    fn name(&self, card: Card) -> String {
        match card {
            Card::Member(index, fault) => format!("{}: {fault:?}", self.fleet.members[index].spec.id),
            Card::Hazard(index) => self.hazards[index].name.clone(),
        }
    }

    fn since_begin(&self) -> Duration {
        self.clock.now().since(self.begun)
    }

    fn say(&self, words: fmt::Arguments<'_>) {
        println!("{:>7.3} s  {words}", self.since_begin().as_secs_f64());
    }
}
