//! A page of the ledger: who owns which shard, in about ten bytes each.
//!
//! A page names each life once, in `lives`, and its holdings refer to them by number:
//!
//! ```text
//! [o,e]         owner o at epoch e, which is also the top       the usual case
//! [o,e,t]       the same, with a higher top
//! [o,e,h,f]     and the heir h at epoch f, which is the top
//! [o,e,h,f,t]   and a higher top
//! ```
//! where `o` is −1 for a shard without an owner.

use std::collections::BTreeMap;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{FORMAT, Incompatible, Key, Meta, NUMBER_MAX};
use crate::ids::{Epoch, Incarnation, Life, Line, Lineage, MemberId};

/// The member written down to take a shard once its owner has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heir {
    /// Who takes it.
    pub life: Life,
    /// At which epoch.
    pub epoch: Epoch,
}

/// One shard in the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Holding {
    /// Who owns it; `None` before its first owner.
    pub owner: Option<Life>,
    /// The owner's epoch.
    pub epoch: Epoch,
    /// Who takes it next.
    pub heir: Option<Heir>,
    /// The highest epoch ever given.
    pub top: Epoch,
}

/// Why a page was last written, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    /// What was done.
    pub reason: String,
    /// Who did it.
    pub author: MemberId,
    /// The members that the author counted on.
    pub view: Vec<MemberId>,
}

/// The record `ledger/<number>`.
#[derive(Clone, Debug, PartialEq)]
pub struct LedgerPage {
    /// Which founding of the cluster the page belongs to.
    pub lineage: Lineage,
    /// One more at each write.
    pub generation: u64,
    /// One for each shard of the page, in order.
    pub holdings: Vec<Holding>,
    /// Why it was last written.
    pub why: Option<Why>,
    /// Fields of a later version, kept as they are.
    pub extra: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    v: u32,
    lineage: Lineage,
    generation: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    why: Option<Why>,
    lives: Vec<(MemberId, Line, u64)>,
    holdings: Vec<Vec<i64>>,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

impl LedgerPage {
    /// The page that a founder creates: no shard was ever owned.
    pub fn blank(lineage: Lineage, len: u32) -> Self {
        let holdings = vec![Holding::default(); len as usize];
        Self { lineage, generation: 0, holdings, why: None, extra: Map::new() }
    }

    /// The page as bytes.
    pub fn encode(&self) -> Bytes {
        let mut names = Names::default();
        let holdings = self.holdings.iter().map(|holding| names.row(holding)).collect();
        let stored = Stored {
            v: FORMAT,
            lineage: self.lineage,
            generation: self.generation,
            why: self.why.clone(),
            lives: names.lives.iter().map(life_row).collect(),
            holdings,
            extra: self.extra.clone(),
        };
        super::member::to_json(&stored)
    }

    /// Reads the page `number` of the cluster that `meta` describes.
    ///
    /// # Errors
    /// [`Incompatible`] for bytes that this build does not understand, or a page of another cluster's history.
    pub fn decode(number: u32, bytes: &[u8], meta: &Meta) -> Result<Self, Incompatible> {
        let wrong = |why: String| Incompatible { key: Key::Page(number), why };
        let stored: Stored = super::member::from_json(bytes).map_err(wrong)?;
        if stored.v == 0 || stored.v > FORMAT {
            return Err(wrong(format!("format {} is not known here", stored.v)));
        }
        if stored.lineage != meta.lineage {
            return Err(wrong(format!(
                "it is of lineage {}, the cluster is of {}",
                stored.lineage, meta.lineage
            )));
        }
        if stored.generation > NUMBER_MAX
            || stored.lives.iter().any(|(_, _, term)| *term == 0 || *term > NUMBER_MAX)
        {
            return Err(wrong("a number is out of range".into()));
        }
        if stored.holdings.len() != meta.page_len(number) as usize {
            return Err(wrong(format!(
                "it has {} holdings, not {}",
                stored.holdings.len(),
                meta.page_len(number)
            )));
        }
        let lives: Vec<Life> = stored.lives.into_iter().map(life_of).collect();
        let holdings: Option<Vec<Holding>> =
            stored.holdings.iter().map(|row| holding_of(row, &lives)).collect();
        let holdings = holdings.ok_or_else(|| wrong("a holding makes no sense".into()))?;
        Ok(Self {
            lineage: stored.lineage,
            generation: stored.generation,
            holdings,
            why: stored.why,
            extra: stored.extra,
        })
    }
}

fn life_row(life: &Life) -> (MemberId, Line, u64) {
    (life.id().clone(), life.incarnation().line, life.incarnation().term)
}

fn life_of((id, line, term): (MemberId, Line, u64)) -> Life {
    Life::new(id, Incarnation { line, term })
}

/// Gives each life of a page its number.
#[derive(Default)]
struct Names {
    numbers: BTreeMap<Life, i64>,
    lives: Vec<Life>,
}

impl Names {
    fn number(&mut self, life: &Life) -> i64 {
        if let Some(number) = self.numbers.get(life) {
            return *number;
        }
        let number = self.lives.len() as i64;
        self.numbers.insert(life.clone(), number);
        self.lives.push(life.clone());
        number
    }

    fn row(&mut self, holding: &Holding) -> Vec<i64> {
        let owner = holding.owner.as_ref().map_or(-1, |life| self.number(life));
        let mut row = vec![owner, holding.epoch.0 as i64];
        let mut implied_top = holding.epoch;
        if let Some(heir) = &holding.heir {
            row.extend([self.number(&heir.life), heir.epoch.0 as i64]);
            implied_top = heir.epoch;
        }
        if holding.top != implied_top {
            row.push(holding.top.0 as i64);
        }
        row
    }
}

fn holding_of(row: &[i64], lives: &[Life]) -> Option<Holding> {
    let (owner, epoch, heir, top) = match *row {
        [owner, epoch] => (owner, epoch, None, epoch),
        [owner, epoch, top] => (owner, epoch, None, top),
        [owner, epoch, heir, at] => (owner, epoch, Some((heir, at)), at),
        [owner, epoch, heir, at, top] => (owner, epoch, Some((heir, at)), top),
        _ => return None,
    };
    let owner = if owner == -1 { None } else { Some(life_at(owner, lives)?) };
    let heir = match heir {
        Some((heir, at)) => Some(Heir { life: life_at(heir, lives)?, epoch: epoch_of(at)? }),
        None => None,
    };
    let holding = Holding { owner, epoch: epoch_of(epoch)?, heir, top: epoch_of(top)? };
    makes_sense(&holding).then_some(holding)
}

fn makes_sense(holding: &Holding) -> bool {
    let heir_later =
        holding.heir.as_ref().is_none_or(|heir| heir.epoch > holding.epoch && heir.epoch <= holding.top);
    let owner_has_epoch = holding.owner.is_some() == (holding.epoch > Epoch(0));
    heir_later
        && owner_has_epoch
        && holding.epoch <= holding.top
        && (holding.owner.is_some() || holding.heir.is_none())
}

fn life_at(number: i64, lives: &[Life]) -> Option<Life> {
    lives.get(usize::try_from(number).ok()?).cloned()
}

fn epoch_of(number: i64) -> Option<Epoch> {
    u64::try_from(number).ok().filter(|epoch| *epoch <= NUMBER_MAX).map(Epoch)
}
