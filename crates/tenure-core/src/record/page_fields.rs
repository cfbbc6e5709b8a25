//! The fields of a stored page, taken in one pass.
//!
//! A derived reader would buffer the whole page before it could tell known fields from unknown ones; this one need not.

use std::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::limited::Limited;
use super::page_json::Name;
use super::page_row::Row;
use super::{PAGE_SIZE_MAX, Unknown};
use crate::ids::Lineage;

/// As many holdings as a page can have.
pub(super) type Rows = Limited<Row, { PAGE_SIZE_MAX as usize }>;

/// As many lives as its holdings can name: each an owner and an heir.
pub(super) type Names = Limited<Name, { 2 * PAGE_SIZE_MAX as usize }>;

/// What a stored page says, before anybody has judged it.
#[derive(Debug)]
pub(super) struct Fields<'de> {
    pub(super) v: u32,
    pub(super) lineage: Lineage,
    pub(super) generation: u64,
    pub(super) why: Option<&'de RawValue>,
    pub(super) recent: Option<&'de RawValue>,
    pub(super) lives: Vec<Name>,
    pub(super) holdings: Vec<Row>,
    pub(super) extra: Unknown,
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

#[derive(Default)]
struct Draft<'de> {
    v: Option<u32>,
    lineage: Option<Lineage>,
    generation: Option<u64>,
    why: Option<&'de RawValue>,
    recent: Option<&'de RawValue>,
    lives: Option<Names>,
    holdings: Option<Rows>,
    extra: Unknown,
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a page of the ledger")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
        let mut draft = Draft::default();
        while let Some(field) = map.next_key::<String>()? {
            draft.take(field, &mut map)?;
        }
        draft.whole()
    }
}

impl<'de> Draft<'de> {
    fn take<A: MapAccess<'de>>(&mut self, field: String, map: &mut A) -> Result<(), A::Error> {
        match field.as_str() {
            "v" => once(&mut self.v, "v", map),
            "lineage" => once(&mut self.lineage, "lineage", map),
            "generation" => once(&mut self.generation, "generation", map),
            "why" => once(&mut self.why, "why", map),
            "recent" => once(&mut self.recent, "recent", map),
            "lives" => once(&mut self.lives, "lives", map),
            "holdings" => once(&mut self.holdings, "holdings", map),
            _ => self.extra.keep(field, map.next_value()?),
        }
    }

    fn whole<E: Error>(self) -> Result<Fields<'de>, E> {
        Ok(Fields {
            v: self.v.ok_or_else(|| E::missing_field("v"))?,
            lineage: self.lineage.ok_or_else(|| E::missing_field("lineage"))?,
            generation: self.generation.ok_or_else(|| E::missing_field("generation"))?,
            why: self.why,
            recent: self.recent,
            lives: self.lives.ok_or_else(|| E::missing_field("lives"))?.0,
            holdings: self.holdings.ok_or_else(|| E::missing_field("holdings"))?.0,
            extra: self.extra,
        })
    }
}

/// A field that is there twice says two things: neither is believed.
fn once<'de, A: MapAccess<'de>, T: Deserialize<'de>>(
    slot: &mut Option<T>,
    name: &'static str,
    map: &mut A,
) -> Result<(), A::Error> {
    if slot.is_some() {
        return Err(A::Error::duplicate_field(name));
    }
    *slot = Some(map.next_value()?);
    Ok(())
}
