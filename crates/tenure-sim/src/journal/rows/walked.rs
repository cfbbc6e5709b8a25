//! The journal on rows, as a walk sees it.

use tenure_core::journal::{Rules, Seq};

use super::owner::Owner;
use super::state::{State, Step};
use super::table::{Statement, Tables};
use crate::chance::Chance;
use crate::journal::history::Batch;
use crate::journal::owner::{Ended, Wants, number};
use crate::journal::scope::Scope;
use crate::journal::walk::{Kind, Listing, Start, Walked};

impl Walked for State {
    type Stored = Tables;

    fn untouched(rules: Rules) -> Self {
        Self::new(&Scope::UNBOUND, rules)
    }

    /// Nobody reads ahead here: one read after the claim brings everything.
    fn begin(&mut self, Start { author, snapshots, under_way, .. }: Start) -> usize {
        let wants = Wants { appends: 0, snapshots };
        self.owners.push(Owner::new(self.rows, author, wants, under_way));
        self.owners.len() - 1
    }

    fn crash(&mut self, owner: usize) {
        self.owners[owner].end(Ended::Crashed);
        self.forget_ended(owner);
    }

    fn ended(&self, owner: usize) -> Option<Ended> {
        self.owners[owner].ended
    }

    fn is_acting(&self, owner: usize) -> bool {
        self.owners[owner].is_acting()
    }

    fn next(&self, owner: usize) -> Option<Seq> {
        self.owners[owner].next()
    }

    fn append(&mut self, owner: usize, batch: Batch) {
        self.owners[owner].append(batch);
    }

    fn acknowledged(&self, owner: usize) -> u16 {
        self.owners[owner].acknowledged
    }

    /// The row tells how many entries there are.
    fn list(&mut self, _owner: usize, _listing: Listing) {}

    fn kind(&self, step: &Step) -> Kind {
        match *step {
            Step::Look(owner, _) | Step::Send(owner, _) | Step::Append(owner) => Kind::Own(owner),
            Step::Shorten(owner) => Kind::Shorten(owner),
            Step::Land(place) if self.flying[place].asker.is_some() => Kind::Land,
            Step::Land(_) => Kind::LandLate,
            Step::LandTwice(_) => Kind::Twice,
            Step::Lose(_) => Kind::Lose,
        }
    }

    fn words(&self, step: &Step) -> String {
        let flying = |place: usize| spell(&self.flying[place].statement);
        match *step {
            Step::Look(owner, talk) => {
                format!("owner {owner} looks, {talk:?}: {:?}", self.store.tables.fence)
            }
            Step::Send(owner, talk) => {
                let statement = self.owners[owner].statement(talk);
                format!("owner {owner} sends {}", statement.as_ref().map_or(String::new(), spell))
            }
            Step::Append(owner) => format!("owner {owner} begins to append"),
            Step::Shorten(owner) => format!("owner {owner} begins to shorten"),
            Step::Land(place) if self.flying[place].asker.is_some() => format!("{} lands", flying(place)),
            Step::Land(place) => format!("{} lands late", flying(place)),
            Step::LandTwice(place) => format!("{} lands, and will again", flying(place)),
            Step::Lose(place) => format!("the answer to {} is lost", flying(place)),
        }
    }

    fn copy(&self) -> Tables {
        self.store.tables.clone()
    }

    fn ground(&mut self) {
        self.flying.clear();
    }

    fn hurt(&mut self, chance: &mut Chance) -> Option<String> {
        self.store.hurt(chance)
    }

    fn restore(&mut self, copy: Tables) {
        self.store.restore(copy);
    }

    fn is_visibly_damaged(&self) -> bool {
        self.store.tables.is_visibly_damaged()
    }
}

fn spell(statement: &Statement) -> String {
    match statement {
        Statement::Open { author } => {
            format!("an opening of epoch {}, owner {}", author.epoch, number(author))
        }
        Statement::Append { seq, entry, .. } => {
            let (author, batch) = (entry.author, entry.batch.unwrap_or(Batch { first: 0, count: 0 }));
            let Batch { first, count } = batch;
            format!(
                "entry {seq}, {count} records from {first} of epoch {}, owner {}",
                author.epoch,
                number(&author)
            )
        }
        Statement::Shorten { author, upto, .. } => {
            format!("a snapshot of {upto} by epoch {}, owner {}", author.epoch, number(author))
        }
    }
}
