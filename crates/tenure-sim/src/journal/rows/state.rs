//! Everything there is, and everything that can happen next.

use tenure_core::ids::Lineage;
use tenure_core::journal::Rules;
use tenure_core::journal::rows::Rows;

use super::owner::{Owner, Talk};
use super::table::{Reply, Statement, Store};
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
    pub(super) rows: Rows,
    losses: u8,
    copies: u8,
    in_flight: usize,
    pub(super) under_way: usize,
}

/// A statement on its way; nobody waits for it once its answer was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Flight {
    pub(super) statement: Statement,
    pub(super) asker: Option<(usize, Talk)>,
}

/// Something that can happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// An owner looks at the tables, and concludes.
    Look(usize, Talk),
    /// An owner sends a statement.
    Send(usize, Talk),
    /// An owner begins to append.
    Append(usize),
    /// An owner begins to shorten.
    Shorten(usize),
    /// A statement lands, and its answer arrives if somebody waits for it.
    Land(usize),
    /// A statement lands, and a copy of it may land later.
    LandTwice(usize),
    /// The answer to a statement is lost; it may land later.
    Lose(usize),
}

impl State {
    /// Nothing has happened.
    pub fn new(scope: &Scope, rules: Rules) -> Self {
        let (rows, last) = (Rows(rules), scope.owners.len().saturating_sub(1));
        let owners = scope.owners.iter().enumerate().map(|(number, (epoch, appends, snapshots))| {
            let mut author = author(number, *epoch);
            if scope.has_stranger && number == last {
                author.lineage = Lineage(2);
            }
            let wants = Wants { appends: *appends, snapshots: *snapshots };
            Owner::new(rows, author, wants, scope.under_way)
        });
        let (owners, flying) = (owners.collect(), Vec::new());
        let Scope { losses, copies, in_flight, under_way, .. } = *scope;
        Self { store: Store::new(rows), owners, flying, rows, losses, copies, in_flight, under_way }
    }

    fn tell(&mut self, (number, talk): (usize, Talk), reply: Reply) -> Result<(), Promise> {
        self.owners[number].handle(talk, reply, &self.store)?;
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

    fn land(&mut self, place: usize) -> Result<(), Promise> {
        let Flight { statement, asker } = self.flying.remove(place);
        let reply = self.store.land(statement)?;
        asker.map_or(Ok(()), |asker| self.tell(asker, reply))
    }

    fn steps_of(&self, number: usize, owner: &Owner, steps: &mut Vec<Step>) {
        for talk in owner.talks() {
            if owner.looks(talk) {
                steps.push(Step::Look(number, talk));
            } else if owner.statement(talk).is_some() && self.flying.len() < self.in_flight {
                steps.push(Step::Send(number, talk));
            }
        }
        let may_append = owner.wants.appends > 0 && owner.next().is_some();
        steps.extend(may_append.then_some(Step::Append(number)));
        steps.extend(owner.may_shorten().then_some(Step::Shorten(number)));
    }
}

impl World for State {
    type Step = Step;

    fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let alive = self.owners.iter().enumerate().filter(|(_, owner)| owner.ended.is_none());
        alive.for_each(|(number, owner)| self.steps_of(number, owner, &mut steps));
        for (place, flight) in self.flying.iter().enumerate() {
            steps.push(Step::Land(place));
            steps.extend((self.copies > 0).then_some(Step::LandTwice(place)));
            steps.extend((self.losses > 0 && flight.asker.is_some()).then_some(Step::Lose(place)));
        }
        steps
    }

    fn take(&mut self, step: &Step) -> Result<(), Promise> {
        match *step {
            Step::Look(number, talk) => {
                self.owners[number].look(talk, &self.store)?;
                self.forget_ended(number);
            }
            Step::Send(number, talk) => {
                let statement = self.owners[number].statement(talk).expect("it sends");
                self.owners[number].sent(talk);
                self.flying.push(Flight { statement, asker: Some((number, talk)) });
            }
            Step::Append(number) => {
                let owner = &mut self.owners[number];
                let batch = owner.wants.next_record(&owner.author);
                owner.append(batch);
            }
            Step::Shorten(number) => self.owners[number].shorten(),
            Step::Land(place) => self.land(place)?,
            Step::LandTwice(place) => {
                self.copies -= 1;
                let copy = Flight { asker: None, ..self.flying[place] };
                self.land(place)?;
                self.flying.push(copy);
            }
            Step::Lose(place) => {
                self.losses -= 1;
                let asker = self.flying[place].asker.take().expect("somebody waits");
                self.tell(asker, Reply::Unsure)?;
            }
        }
        self.flying.sort_unstable();
        Ok(())
    }
}
