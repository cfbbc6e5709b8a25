//! The pages of the ledger, as this member last read them.
//!
//! A page is kept at the highest generation ever read. A fresh read that shows a lower one, or no page at all, means that
//! the store lost writes: that page is not written any more, and its present owners go on by their leases.

use std::collections::BTreeMap;

use crate::ids::{Life, ShardId};
use crate::message::{Notice, Reply};
use crate::moment::Moment;
use crate::record::{Holding, Incompatible, LedgerPage, Meta, NUMBER_MAX, Ranges, Version};

/// One page, as last read.
#[derive(Debug)]
pub struct Leaf {
    /// Its version; `None` before the first read.
    pub version: Option<Version>,
    /// What it says; `None` before the first read, or if it can't be understood.
    pub page: Option<LedgerPage>,
    /// What is wrong with it, if something is: then it is not written.
    pub problem: Option<String>,
    /// Our own write's outcome is not known yet: nothing is concluded or written until it is read again.
    pub doubt: bool,
    /// A write of ours is under way.
    pub writing: bool,
    /// When the content was read, or written by us.
    pub seen_at: Moment,
    /// For each holding, when it was last seen to change.
    pub changed_at: Vec<Moment>,
    /// Every life that the page names, and where.
    lives: BTreeMap<Life, Vec<usize>>,
    /// The holdings without an owner.
    unowned: Vec<usize>,
    /// The version that can't be understood, if that is what is there: it need not be looked into again.
    pub refused: Option<Version>,
    /// Grows with every change.
    pub revision: u64,
    /// The highest generation ever read.
    pub generation: u64,
}

impl Leaf {
    fn new() -> Self {
        Self {
            version: None,
            page: None,
            problem: None,
            doubt: false,
            writing: false,
            seen_at: Moment::ZERO,
            changed_at: Vec::new(),
            lives: BTreeMap::new(),
            unowned: Vec::new(),
            refused: None,
            revision: 0,
            generation: 0,
        }
    }

    /// The page, if steps may be taken on it.
    pub fn writable(&self) -> Option<(&LedgerPage, &Version)> {
        let settled = self.problem.is_none() && !self.doubt && !self.writing;
        self.page.as_ref().zip(self.version.as_ref()).filter(|(page, _)| settled && page.can_turn())
    }

    /// Every life that the page names, with the holdings that name it as owner or heir, in order.
    pub fn lives(&self) -> impl Iterator<Item = (&Life, &[usize])> {
        self.lives.iter().map(|(life, indices)| (life, indices.as_slice()))
    }

    /// The holdings that name a life.
    pub fn naming(&self, life: &Life) -> &[usize] {
        self.lives.get(life).map_or(&[], Vec::as_slice)
    }

    /// The holdings without an owner.
    pub fn unowned(&self) -> &[usize] {
        &self.unowned
    }

    /// The page is known to be, or to have been, as given.
    pub fn turn(&mut self, now: Moment, version: Version, page: LedgerPage) {
        let changed = |index: usize| {
            self.page.as_ref().is_none_or(|old| old.holdings.get(index) != page.holdings.get(index))
        };
        let changed_at: Vec<Moment> = (0..page.holdings.len())
            .map(
                |index| if changed(index) { now } else { self.changed_at.get(index).copied().unwrap_or(now) },
            )
            .collect();
        self.lives = lives_of(&page);
        let holdings = page.holdings.iter().enumerate();
        self.unowned = holdings.filter(|(_, it)| it.owner.is_none()).map(|(index, _)| index).collect();
        (self.version, self.generation) = (Some(version), page.generation);
        (self.page, self.changed_at, self.seen_at) = (Some(page), changed_at, now);
        (self.problem, self.doubt, self.refused) = (None, false, None);
        self.revision += 1;
    }

    /// Something is wrong with the page: it is not written for now.
    pub fn refuse(&mut self, problem: String) {
        if self.problem.as_ref() != Some(&problem) {
            self.problem = Some(problem);
            self.revision += 1;
        }
    }
}

fn lives_of(page: &LedgerPage) -> BTreeMap<Life, Vec<usize>> {
    let mut lives: BTreeMap<Life, Vec<usize>> = BTreeMap::new();
    for (index, holding) in page.holdings.iter().enumerate() {
        for life in holding.owner.iter().chain(holding.heir.as_ref().map(|heir| &heir.life)) {
            match lives.get_mut(life) {
                Some(indices) => indices.push(index),
                None => drop(lives.insert(life.clone(), vec![index])),
            }
        }
    }
    lives
}

/// All pages of the ledger.
#[derive(Debug)]
pub struct Book {
    meta: Meta,
    leaves: Vec<Leaf>,
}

impl Book {
    /// The ledger of the cluster that `meta` describes, not read yet.
    pub fn new(meta: Meta) -> Self {
        let leaves = (0..meta.pages()).map(|_| Leaf::new()).collect();
        Self { meta, leaves }
    }

    /// What all members agree on.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// All pages, in order.
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// One page.
    pub fn leaf_mut(&mut self, number: u32) -> &mut Leaf {
        &mut self.leaves[number as usize]
    }

    /// The shard at `index` of the page `number`.
    pub fn shard(&self, number: u32, index: usize) -> ShardId {
        ShardId(number * self.meta.page_size + index as u32)
    }

    /// One shard, as last read.
    pub fn holding(&self, shard: ShardId) -> Option<&Holding> {
        let (number, index) = (shard.0 / self.meta.page_size, shard.0 % self.meta.page_size);
        self.leaves.get(number as usize)?.page.as_ref()?.holdings.get(index as usize)
    }

    /// Whether every page has been read.
    pub fn is_read(&self) -> bool {
        self.leaves.iter().all(|leaf| leaf.page.is_some())
    }

    /// Grows with every change of any page.
    pub fn revision(&self) -> u64 {
        self.leaves.iter().map(|leaf| leaf.revision).sum()
    }

    /// A fresh read of a page, begun when its generation was `begun_at`, was answered.
    ///
    /// # Errors
    /// What is wrong with the page; it is left alone until it is right again.
    pub fn read(&mut self, now: Moment, number: u32, begun_at: u64, reply: Reply) -> Result<(), Notice> {
        match reply {
            // Looked at before, and told.
            Reply::Found(found) if self.leaf_mut(number).refused.as_ref() == Some(&found.version) => Ok(()),
            Reply::Found(found) => match LedgerPage::decode(number, &found.value, &self.meta) {
                Ok(page) => self.turned(now, number, begun_at, found.version, page),
                Err(error) => {
                    self.leaf_mut(number).refused = Some(found.version);
                    Err(self.refused(number, error))
                }
            },
            Reply::Absent => Err(self.refused(number, absent(number))),
            Reply::Unchanged => {
                let leaf = self.leaf_mut(number);
                (leaf.doubt, leaf.problem, leaf.refused) = (false, None, None);
                Ok(())
            }
            Reply::Members(_) | Reply::Stored(_) | Reply::Deleted | Reply::Conflict | Reply::Failed(_) => {
                Ok(())
            }
        }
    }

    /// What can't go on because its numbers are used up, in words. Nothing is written that nobody would read.
    pub fn spent(&self) -> impl Iterator<Item = String> + '_ {
        (0..self.meta.pages()).flat_map(|number| self.spent_on(number))
    }

    /// The same for one page.
    pub fn spent_on(&self, number: u32) -> impl Iterator<Item = String> + '_ {
        let page = self.leaves.get(number as usize).and_then(|leaf| leaf.page.as_ref());
        let itself = page.filter(|page| !page.can_turn()).map(|_| spent_page(number));
        let holdings = page.into_iter().flat_map(|page| page.holdings.iter().enumerate());
        let spent = holdings.filter(|(_, holding)| !holding.has_next());
        let shards: Vec<ShardId> = spent.map(|(index, _)| self.shard(number, index)).collect();
        itself.into_iter().chain(spent_shards(shards))
    }

    fn refused(&mut self, number: u32, error: Incompatible) -> Notice {
        self.leaf_mut(number).refuse(error.why.clone());
        Notice::Unreadable(error)
    }

    fn turned(
        &mut self,
        now: Moment,
        number: u32,
        begun_at: u64,
        version: Version,
        page: LedgerPage,
    ) -> Result<(), Notice> {
        let leaf = self.leaf_mut(number);
        if page.generation < begun_at {
            let problem =
                format!("page {number} went back from generation {begun_at} to {}", page.generation);
            leaf.refuse(problem.clone());
            return Err(Notice::Rollback(problem));
        }
        if page.generation < leaf.generation {
            return Ok(());
        }
        leaf.turn(now, version, page);
        Ok(())
    }
}

fn absent(number: u32) -> Incompatible {
    Incompatible {
        key: crate::record::Key::Page(number),
        why: "the page is not there, though the cluster is ready".into(),
    }
}

/// How many bytes of the names of shards are told.
const TOLD_MAX: usize = 60;

fn spent_page(number: u32) -> String {
    format!(
        "ledger page {number} has generation {NUMBER_MAX}, the last one: it can't be written any more; \
         found the cluster anew, under another name"
    )
}

fn spent_shards(shards: Vec<ShardId>) -> Option<String> {
    let count = shards.len();
    let mut named = Ranges::of(shards);
    named.cut(TOLD_MAX);
    (count > 0).then(|| {
        format!(
            "{count} of the shards ({named}) have epoch {NUMBER_MAX}, the last one: nobody else can be given them; \
             found the cluster anew, under another name"
        )
    })
}
