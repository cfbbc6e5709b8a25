//! The journal on names, as a walk sees it.

use tenure_core::journal::{Rules, Seq};

use super::owner::Owner;
use super::state::{State, Step};
use super::store::{Names, Write};
use crate::chance::Chance;
use crate::journal::history::{Batch, ToyEntry};
use crate::journal::owner::{Ended, Wants, number};
use crate::journal::scope::Scope;
use crate::journal::walk::{Kind, Listing, Start, Walked};

impl Walked for State {
    type Stored = Names;

    fn untouched(rules: Rules) -> Self {
        Self::new(&Scope::UNBOUND, rules, false)
    }

    fn begin(&mut self, Start { author, is_heir, snapshots, .. }: Start) -> usize {
        let wants = Wants { appends: 0, snapshots };
        let begin = if is_heir { Owner::heir } else { Owner::new };
        self.owners.push(begin(self.rules, author, wants));
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

    fn list(&mut self, owner: usize, listing: Listing) {
        let last = match listing {
            Listing::Fresh => self.store.names.log.keys().next_back().copied(),
            Listing::Old => Some(self.store.last_ever),
            Listing::None => None,
        };
        self.owners[owner].list(last);
    }

    fn kind(&self, step: &Step) -> Kind {
        match *step {
            Step::Read(owner, _)
            | Step::Send(owner, _)
            | Step::Append(owner)
            | Step::Clear(owner)
            | Step::ClearLater(owner) => Kind::Own(owner),
            Step::Shorten(owner) => Kind::Shorten(owner),
            Step::Claim(owner) => Kind::Claim(owner),
            Step::Land(place) if self.flying[place].asker.is_some() => Kind::Land,
            Step::Land(_) => Kind::LandLate,
            Step::LandTwice(_) => Kind::Twice,
            Step::Lose(_) => Kind::Lose,
        }
    }

    fn words(&self, step: &Step) -> String {
        match *step {
            Step::Read(owner, talk) => {
                let ask = self.owners[owner].ask(talk);
                format!("owner {owner} asks {}", ask.map_or(String::new(), |ask| format!("{ask:?}")))
            }
            Step::Send(owner, talk) => {
                let write = self.owners[owner].ask(talk).and_then(|ask| self.owners[owner].write(&ask));
                format!("owner {owner} sends {}", write.as_ref().map_or(String::new(), spell))
            }
            Step::Land(place) => format!("{} lands{}", spell(&self.flying[place].write), self.waited(place)),
            Step::LandTwice(place) => format!("{} lands, and will again", spell(&self.flying[place].write)),
            Step::Lose(place) => format!("the answer to {} is lost", spell(&self.flying[place].write)),
            Step::Append(owner) => format!("owner {owner} begins to append"),
            Step::Shorten(owner) => format!("owner {owner} begins to shorten"),
            Step::Claim(owner) => format!("owner {owner} has its turn"),
            Step::Clear(owner) => format!("owner {owner} removes what is left over"),
            Step::ClearLater(owner) => {
                format!("owner {owner} removes what is left over, and does not hear of it")
            }
        }
    }

    fn copy(&self) -> Names {
        self.store.names.clone()
    }

    fn ground(&mut self) {
        self.flying.clear();
    }

    fn hurt(&mut self, chance: &mut Chance) -> Option<String> {
        self.store.hurt(chance)
    }

    fn restore(&mut self, copy: Names) {
        self.store.restore(copy);
    }

    fn is_visibly_damaged(&self) -> bool {
        self.store.names.is_visibly_damaged()
    }
}

impl State {
    fn waited(&self, place: usize) -> &'static str {
        if self.flying[place].asker.is_some() { "" } else { " late" }
    }
}

fn spell(write: &Write) -> String {
    match write {
        Write::CreateHead(_) => "the first head".into(),
        Write::ReplaceHead(version, (start, epoch, ..)) => {
            format!("a head that begins at {start} with epoch {epoch}, in place of {version:?}")
        }
        Write::CreateEntry(seq, entry) => format!("entry {seq}, {}", spell_entry(entry)),
        Write::CreateSnapshot(name, _) => format!("snapshot {name}"),
        Write::Remove(leftover) => format!("the removal of {leftover:?}"),
    }
}

fn spell_entry(entry: &ToyEntry) -> String {
    let (epoch, owner) = (entry.author.epoch, number(&entry.author));
    match entry.batch {
        None => format!("the fence of epoch {epoch}, owner {owner}"),
        Some(Batch { first, count }) => {
            format!("{count} records from {first} of epoch {epoch}, owner {owner}")
        }
    }
}
