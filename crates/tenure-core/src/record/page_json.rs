//! How a page is spelled: about ten bytes for a shard, twenty-four at most in practice.
//!
//! A page names each life once, in `lives`, and its holdings refer to them by number:
//!
//! ```text
//! [o,e]         owner o at epoch e, which is also the top       the usual case
//! [o,e,t]       the same, with a higher top
//! [o,e,h,f]     and the heir h at epoch f, which is the top
//! [o,e,h,f,t]   and a higher top
//! ```
//! where `o` is −1 for a shard without an owner. Pages are the great records and are read most: the fields are taken in
//! one pass, and rows without an allocation each.

use std::collections::BTreeMap;

use bytes::Bytes;
use serde::Serialize;

use super::hearsay::{changes_of, why_of};
use super::page_fields::Fields;
use super::page_row::Row;
use super::{
    BYTES_MAX, Change, FORMAT, Heir, Holding, Incompatible, Key, LedgerPage, Meta, NUMBER_MAX, Unknown, Why,
    json,
};
use crate::ids::{Epoch, Incarnation, Life, Line, Lineage, MemberId};

/// A life as a page names it.
pub(super) type Name = (MemberId, Line, u64);

#[derive(Serialize)]
struct Stored<'a> {
    v: u32,
    lineage: Lineage,
    generation: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a Why>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    recent: &'a [Change],
    lives: Vec<Name>,
    holdings: Vec<Row>,
    #[serde(flatten)]
    extra: &'a Unknown,
}

impl LedgerPage {
    /// The page as bytes.
    pub fn encode(&self) -> Bytes {
        let mut names = Names::default();
        let holdings = self.holdings.iter().map(|holding| names.row(holding)).collect();
        json::encode(&Stored {
            v: FORMAT,
            lineage: self.lineage,
            generation: self.generation,
            why: self.why.as_ref(),
            recent: &self.recent,
            lives: names.lives.iter().map(name_of).collect(),
            holdings,
            extra: &self.extra,
        })
    }

    /// Reads the page `number` of the cluster that `meta` describes.
    ///
    /// # Errors
    /// [`Incompatible`] for bytes that this build does not understand, or a page of another cluster's history.
    pub fn decode(number: u32, bytes: &[u8], meta: &Meta) -> Result<Self, Incompatible> {
        let wrong = |why: String| Incompatible { key: Key::Page(number), why };
        let fields: Fields<'_> = json::decode(bytes, BYTES_MAX).map_err(wrong)?;
        check(&fields, number, meta).map_err(wrong)?;
        let lives: Vec<Life> = fields.lives.into_iter().map(life_of).collect();
        let rows = fields.holdings.iter().enumerate();
        let holdings = rows.map(|(at, row)| {
            holding_of(row.numbers(), &lives).ok_or_else(|| wrong(format!("holding {at} makes no sense")))
        });
        Ok(Self {
            lineage: fields.lineage,
            generation: fields.generation,
            holdings: holdings.collect::<Result<_, _>>()?,
            why: fields.why.and_then(why_of),
            recent: fields.recent.map_or_else(Vec::new, changes_of),
            extra: fields.extra,
        })
    }
}

impl LedgerPage {
    /// The page that these rows spell, with nothing for people; `None` if one of them makes no sense.
    pub(super) fn of_rows(lineage: Lineage, generation: u64, lives: Vec<Name>, rows: &[Row]) -> Option<Self> {
        let in_range = lives.iter().all(|(_, _, term)| (1..=NUMBER_MAX).contains(term));
        let lives: Vec<Life> = lives.into_iter().map(life_of).collect();
        let holdings: Option<Vec<Holding>> =
            rows.iter().map(|row| holding_of(row.numbers(), &lives)).collect();
        let page = Self { generation, ..Self::blank(lineage, 0) };
        holdings.filter(|_| in_range).map(|holdings| Self { holdings, ..page })
    }
}

fn check(fields: &Fields<'_>, number: u32, meta: &Meta) -> Result<(), String> {
    json::check_format(fields.v)?;
    if fields.lineage != meta.lineage {
        return Err(format!("it is of lineage {}, the cluster is of {}", fields.lineage, meta.lineage));
    }
    if number >= meta.pages() {
        return Err(format!("the cluster has {} pages", meta.pages()));
    }
    let (found, expected) = (fields.holdings.len(), meta.page_len(number));
    if found != expected as usize {
        return Err(format!("it has {found} holdings, not {expected}"));
    }
    let terms_fit = fields.lives.iter().all(|(_, _, term)| (1..=NUMBER_MAX).contains(term));
    if fields.generation > NUMBER_MAX || !terms_fit {
        return Err("generation or a term is out of range".into());
    }
    Ok(())
}

fn name_of(life: &Life) -> Name {
    (life.id().clone(), life.incarnation().line, life.incarnation().term)
}

fn life_of((id, line, term): Name) -> Life {
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

    fn row(&mut self, holding: &Holding) -> Row {
        let owner = holding.owner.as_ref().map_or(-1, |life| self.number(life));
        let mut row = Row::of(owner, number_of(holding.epoch));
        let mut implied_top = holding.epoch;
        if let Some(heir) = &holding.heir {
            row.push(self.number(&heir.life));
            row.push(number_of(heir.epoch));
            implied_top = heir.epoch;
        }
        if holding.top != implied_top {
            row.push(number_of(holding.top));
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
    holding.makes_sense().then_some(holding)
}

fn life_at(number: i64, lives: &[Life]) -> Option<Life> {
    lives.get(usize::try_from(number).ok()?).cloned()
}

fn epoch_of(number: i64) -> Option<Epoch> {
    u64::try_from(number).ok().filter(|epoch| *epoch <= NUMBER_MAX).map(Epoch)
}

/// An epoch beyond every limit is spelled as one that no reader takes, never as another that one would.
fn number_of(epoch: Epoch) -> i64 {
    i64::try_from(epoch.0).unwrap_or(i64::MAX)
}
