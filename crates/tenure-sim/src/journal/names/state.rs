//! Everything there is, and everything that can happen next.

use tenure_core::journal::Rules;
use tenure_core::journal::names::{Answer, Ask, Leftover};

use super::owner::{LINEAGE, Owner, Talk};
use super::store::{Store, Toy, Write};
use crate::journal::owner::{Wants, author};
use crate::journal::promise::Promise;
use crate::journal::scope::Scope;
use crate::journal::search::World;

/// Everything there is.
#[derive(Clone, Debug, Hash)]
pub struct State {
    pub(super) store: Store,
    pub(super) owners: Vec<Owner>,
    pub(super) flying: Vec<Flight>,
    pub(super) rules: Rules,
    losses: u8,
    copies: u8,
    in_flight: usize,
}

/// A write on its way; nobody waits for it once its answer was lost.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Flight {
    pub(super) write: Write,
    pub(super) asker: Option<(usize, Talk)>,
}

/// Something that can happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// An owner reads, and has the answer.
    Read(usize, Talk),
    /// An owner sends a write.
    Send(usize, Talk),
    /// An owner begins to append.
    Append(usize),
    /// An owner begins to shorten.
    Shorten(usize),
    /// An owner that has read ahead has its turn.
    Claim(usize),
    /// A write lands, and its answer arrives if somebody waits for it.
    Land(usize),
    /// A write lands, and a copy of it may land later.
    LandTwice(usize),
    /// The answer to a write is lost; it may land later.
    Lose(usize),
    /// What is left over is removed at once, and that is known.
    Clear(usize),
    /// What is left over is removed whenever that lands, and nothing is known of it.
    ClearLater(usize),
}

pub(super) const TALKS: [Talk; 3] = [Talk::Opening, Talk::Appending, Talk::Shortening];

impl State {
    /// Nothing has happened.
    pub fn new(scope: &Scope, rules: Rules, overwrites: bool) -> Self {
        let wants = |appends, snapshots| Wants { appends, snapshots };
        let owners = scope.owners.iter().enumerate();
        let owners = owners.map(|(number, (epoch, appends, snapshots))| {
            Owner::new(rules, author(number, *epoch), wants(*appends, *snapshots))
        });
        let (owners, flying) = (owners.collect(), Vec::new());
        let Scope { losses, copies, in_flight, .. } = *scope;
        Self { store: Store::new(overwrites), owners, flying, rules, losses, copies, in_flight }
    }

    fn steps_of_owners(&self, steps: &mut Vec<Step>) {
        for (number, owner) in self.owners.iter().enumerate().filter(|(_, owner)| owner.ended.is_none()) {
            for talk in TALKS {
                match owner.ask(talk) {
                    Some(Ask::Remove(_)) => steps.extend([Step::Clear(number), Step::ClearLater(number)]),
                    Some(ask) if owner.write(&ask).is_none() => steps.push(Step::Read(number, talk)),
                    Some(_) if self.flying.len() < self.in_flight => steps.push(Step::Send(number, talk)),
                    Some(_) | None => {}
                }
            }
            let may_append = owner.wants.appends > 0 && owner.next().is_some();
            steps.extend(may_append.then_some(Step::Append(number)));
            steps.extend(owner.may_shorten().then_some(Step::Shorten(number)));
            steps.extend(owner.may_claim().then_some(Step::Claim(number)));
        }
    }

    fn land(&mut self, place: usize) -> Result<(), Promise> {
        let Flight { write, asker } = self.flying.remove(place);
        let answer = self.store.land(write, LINEAGE)?;
        asker.map_or(Ok(()), |asker| self.tell(asker, answer))
    }

    fn leftovers(&self, number: usize) -> Vec<Leftover> {
        match self.owners[number].ask(Talk::Shortening) {
            Some(Ask::Remove(leftovers)) => leftovers,
            other => unreachable!("{other:?} removes nothing"),
        }
    }

    fn tell(&mut self, (number, talk): (usize, Talk), answer: Answer<Toy>) -> Result<(), Promise> {
        self.owners[number].handle(talk, Ok(answer), &self.store)?;
        self.forget_ended(number);
        Ok(())
    }

    /// An owner that has ended waits for nothing.
    pub(super) fn forget_ended(&mut self, number: usize) {
        let ended = self.owners[number].ended.is_some();
        for flight in self.flying.iter_mut().filter(|_| ended) {
            flight.asker.take_if(|(asker, _)| *asker == number);
        }
    }
}

impl World for State {
    type Step = Step;

    fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        self.steps_of_owners(&mut steps);
        for (place, flight) in self.flying.iter().enumerate() {
            steps.push(Step::Land(place));
            steps.extend((self.copies > 0).then_some(Step::LandTwice(place)));
            steps.extend((self.losses > 0 && flight.asker.is_some()).then_some(Step::Lose(place)));
        }
        steps
    }

    fn take(&mut self, step: &Step) -> Result<(), Promise> {
        match *step {
            Step::Read(number, talk) => {
                let ask = self.owners[number].ask(talk).expect("it asks");
                let answer = self.store.read(&ask);
                self.owners[number].handle(talk, answer, &self.store)?;
                self.forget_ended(number);
            }
            Step::Send(number, talk) => {
                let owner = &mut self.owners[number];
                let write = owner.ask(talk).and_then(|ask| owner.write(&ask)).expect("it writes");
                owner.waiting[talk as usize] = true;
                self.flying.push(Flight { write, asker: Some((number, talk)) });
            }
            Step::Append(number) => {
                let owner = &mut self.owners[number];
                let batch = owner.wants.next_record(&owner.author);
                owner.append(batch);
            }
            Step::Shorten(number) => self.owners[number].shorten(),
            Step::Claim(number) => self.owners[number].claim(&self.store)?,
            Step::Land(place) => self.land(place)?,
            Step::LandTwice(place) => {
                self.copies -= 1;
                let copy = Flight { asker: None, ..self.flying[place].clone() };
                self.land(place)?;
                self.flying.push(copy);
            }
            Step::Lose(place) => {
                self.losses -= 1;
                let asker = self.flying[place].asker.take().expect("somebody waits");
                self.tell(asker, Answer::Unsure)?;
            }
            Step::Clear(number) => {
                self.leftovers(number).into_iter().for_each(|leftover| self.store.remove(leftover));
                self.store.check()?;
                self.tell((number, Talk::Shortening), Answer::Stored(None))?;
            }
            Step::ClearLater(number) => {
                let removals = self.leftovers(number).into_iter().map(Write::Remove);
                self.flying.extend(removals.map(|write| Flight { write, asker: None }));
                self.tell((number, Talk::Shortening), Answer::Unsure)?;
            }
        }
        self.flying.sort_unstable();
        self.flying.dedup_by(|a, b| a == b && a.asker.is_none() && matches!(a.write, Write::Remove(_)));
        Ok(())
    }
}
