//! What a mechanism must offer for a walk.

use tenure_core::journal::{Author, Rules, Seq};

use crate::chance::Chance;
use crate::journal::history::Batch;
use crate::journal::owner::Ended;
use crate::journal::search::World;

/// What a step is, as far as a walk cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::journal) enum Kind {
    /// An owner goes on by itself.
    Own(usize),
    /// An owner begins a snapshot.
    Shorten(usize),
    /// An heir has its turn.
    Claim(usize),
    /// A write lands for which somebody waits.
    Land,
    /// One lands for which nobody waits any more.
    LandLate,
    /// An answer is lost.
    Lose,
    /// A write lands, and will land again.
    Twice,
}

/// What a listing of the entries shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::journal) enum Listing {
    /// All that is there.
    Fresh,
    /// Whatever was ever there.
    Old,
    /// It failed.
    None,
}

/// How a start of work begins.
#[derive(Clone, Copy, Debug)]
pub(in crate::journal) struct Start {
    pub(in crate::journal) author: Author,
    /// It reads ahead at first, where the mechanism can.
    pub(in crate::journal) is_heir: bool,
    pub(in crate::journal) snapshots: u8,
    pub(in crate::journal) under_way: usize,
}

/// A journal that a walk can lead anywhere.
pub(in crate::journal) trait Walked: World {
    /// What is stored.
    type Stored: Clone;

    /// A journal that nobody has opened.
    fn untouched(rules: Rules) -> Self;

    /// A start of work begins. Answers with its number.
    fn begin(&mut self, start: Start) -> usize;

    /// The process of an owner ends; what it has sent may land.
    fn crash(&mut self, owner: usize);

    /// Why it is over, if it is.
    fn ended(&self, owner: usize) -> Option<Ended>;

    /// Whether it has opened the journal.
    fn is_acting(&self, owner: usize) -> bool;

    /// The number of its next append, if one may begin.
    fn next(&self, owner: usize) -> Option<Seq>;

    /// It begins to append.
    fn append(&mut self, owner: usize, batch: Batch);

    /// How many of its appends were acknowledged.
    fn acknowledged(&self, owner: usize) -> u16;

    /// Lists the entries to whoever reads them.
    fn list(&mut self, owner: usize, listing: Listing);

    /// What a step is.
    fn kind(&self, step: &Self::Step) -> Kind;

    /// What a step does, in words.
    fn words(&self, step: &Self::Step) -> String;

    /// A copy of what is stored.
    fn copy(&self) -> Self::Stored;

    /// Nothing that was sent lands any more.
    fn ground(&mut self);

    /// Somebody deletes or spoils something that is live. Says what; `None` while there is nothing.
    fn hurt(&mut self, chance: &mut Chance) -> Option<String>;

    /// Somebody restores a copy.
    fn restore(&mut self, copy: Self::Stored);

    /// Whether whoever reads all that is stored can tell that it is damaged.
    fn is_visibly_damaged(&self) -> bool;
}
