//! Everything there is, and everything that can happen next.

use tenure_core::journal::Rules;
use tenure_core::journal::names::{Answer, Ask, Leftover};

use super::owner::{LINEAGE, Owner, Talk};
use super::promise::Promise;
use super::scope::Scope;
use super::store::{Store, Write};

/// Everything there is.
#[derive(Clone, Debug, Hash)]
pub struct State {
    store: Store,
    owners: Vec<Owner>,
    flying: Vec<Flight>,
    losses: u8,
}

/// A write on its way; nobody waits for it once its answer was lost.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Flight {
    write: Write,
    asker: Option<(usize, Talk)>,
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
    /// A write lands, and its answer arrives if somebody waits for it.
    Land(usize),
    /// The answer to a write is lost; it may land later.
    Lose(usize),
    /// What is left over is removed at once, and that is known.
    Clear(usize),
    /// What is left over is removed whenever that lands, and nothing is known of it.
    ClearLater(usize),
}

const TALKS: [Talk; 3] = [Talk::Opening, Talk::Appending, Talk::Shortening];

impl State {
    /// Nothing has happened.
    pub fn new(scope: &Scope, rules: Rules, overwrites: bool) -> Self {
        let owners = scope.owners.iter().enumerate();
        let owners = owners.map(|(number, wants)| Owner::new(rules, number, *wants)).collect();
        Self { store: Store::new(overwrites), owners, flying: Vec::new(), losses: scope.losses }
    }

    /// What can happen now.
    pub fn steps(&self, scope: &Scope) -> Vec<Step> {
        let mut steps = Vec::new();
        for (number, owner) in self.owners.iter().enumerate() {
            for talk in TALKS {
                match owner.ask(talk) {
                    Some(Ask::Remove(_)) => steps.extend([Step::Clear(number), Step::ClearLater(number)]),
                    Some(ask) if owner.write(&ask).is_none() => steps.push(Step::Read(number, talk)),
                    Some(_) if self.flying.len() < scope.in_flight => steps.push(Step::Send(number, talk)),
                    Some(_) | None => {}
                }
            }
            steps.extend(owner.may_append().then_some(Step::Append(number)));
            steps.extend(owner.may_shorten().then_some(Step::Shorten(number)));
        }
        for (place, flight) in self.flying.iter().enumerate() {
            steps.push(Step::Land(place));
            steps.extend((self.losses > 0 && flight.asker.is_some()).then_some(Step::Lose(place)));
        }
        steps
    }

    /// What is then.
    pub fn take(&self, step: &Step) -> Result<Self, Promise> {
        let mut next = self.clone();
        match *step {
            Step::Read(number, talk) => {
                let ask = self.owners[number].ask(talk).expect("it asks");
                next.tell((number, talk), self.store.read(&ask))?;
            }
            Step::Send(number, talk) => {
                let owner = &mut next.owners[number];
                let write = owner.ask(talk).and_then(|ask| owner.write(&ask)).expect("it writes");
                owner.waiting[talk as usize] = true;
                next.flying.push(Flight { write, asker: Some((number, talk)) });
            }
            Step::Append(number) => next.owners[number].append(),
            Step::Shorten(number) => next.owners[number].shorten(),
            Step::Land(place) => {
                let Flight { write, asker } = next.flying.remove(place);
                let answer = next.store.land(write, LINEAGE)?;
                if let Some(asker) = asker {
                    next.tell(asker, answer)?;
                }
            }
            Step::Lose(place) => {
                next.losses -= 1;
                let asker = next.flying[place].asker.take().expect("somebody waits");
                next.tell(asker, Answer::Unsure)?;
            }
            Step::Clear(number) => {
                next.leftovers(number).into_iter().for_each(|leftover| next.store.remove(leftover));
                next.store.check()?;
                next.tell((number, Talk::Shortening), Answer::Stored(None))?;
            }
            Step::ClearLater(number) => {
                let later = next
                    .leftovers(number)
                    .into_iter()
                    .map(|leftover| Flight { write: Write::Remove(leftover), asker: None });
                next.flying.extend(later);
                next.tell((number, Talk::Shortening), Answer::Unsure)?;
            }
        }
        next.flying.sort_unstable();
        next.flying.dedup_by(|a, b| a == b && a.asker.is_none() && matches!(a.write, Write::Remove(_)));
        Ok(next)
    }

    fn leftovers(&self, number: usize) -> Vec<Leftover> {
        match self.owners[number].ask(Talk::Shortening) {
            Some(Ask::Remove(leftovers)) => leftovers,
            other => unreachable!("{other:?} removes nothing"),
        }
    }

    fn tell(
        &mut self,
        (number, talk): (usize, Talk),
        answer: Answer<super::store::Toy>,
    ) -> Result<(), Promise> {
        let Self { store, owners, flying, .. } = self;
        owners[number].handle(talk, answer, store)?;
        // An owner that has ended waits for nothing.
        let ended = TALKS.iter().all(|talk| !owners[number].waiting[*talk as usize]);
        for flight in flying.iter_mut().filter(|_| ended) {
            flight.asker.take_if(|(asker, _)| *asker == number);
        }
        Ok(())
    }
}
