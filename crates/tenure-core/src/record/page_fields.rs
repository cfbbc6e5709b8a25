//! The fields of a stored page, taken in one pass.
//!
//! A derived reader would buffer the whole page before it could tell known fields from unknown ones; this one need not.

use std::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::page_json::Name;
use super::page_row::Row;
use super::{Change, Why};
use crate::ids::Lineage;

/// What a stored page says, before anybody has judged it.
#[derive(Debug)]
pub(super) struct Fields {
    pub(super) v: u32,
    pub(super) lineage: Lineage,
    pub(super) generation: u64,
    pub(super) why: Option<Why>,
    pub(super) recent: Vec<Change>,
    pub(super) lives: Vec<Name>,
    pub(super) holdings: Vec<Row>,
    pub(super) extra: Map<String, Value>,
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

#[derive(Default)]
struct Draft {
    v: Option<u32>,
    lineage: Option<Lineage>,
    generation: Option<u64>,
    why: Option<Option<Why>>,
    recent: Option<Vec<Change>>,
    lives: Option<Vec<Name>>,
    holdings: Option<Vec<Row>>,
    extra: Map<String, Value>,
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a page of the ledger")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
        let mut draft = Draft::default();
        while let Some(field) = map.next_key::<String>()? {
            draft.take(field, &mut map)?;
        }
        draft.whole()
    }
}

impl Draft {
    fn take<'de, A: MapAccess<'de>>(&mut self, field: String, map: &mut A) -> Result<(), A::Error> {
        match field.as_str() {
            "v" => once(&mut self.v, "v", map),
            "lineage" => once(&mut self.lineage, "lineage", map),
            "generation" => once(&mut self.generation, "generation", map),
            "why" => once(&mut self.why, "why", map),
            "recent" => once(&mut self.recent, "recent", map),
            "lives" => once(&mut self.lives, "lives", map),
            "holdings" => once(&mut self.holdings, "holdings", map),
            _ => {
                self.extra.insert(field, map.next_value()?);
                Ok(())
            }
        }
    }

    fn whole<E: Error>(self) -> Result<Fields, E> {
        Ok(Fields {
            v: self.v.ok_or_else(|| E::missing_field("v"))?,
            lineage: self.lineage.ok_or_else(|| E::missing_field("lineage"))?,
            generation: self.generation.ok_or_else(|| E::missing_field("generation"))?,
            why: self.why.flatten(),
            recent: self.recent.unwrap_or_default(),
            lives: self.lives.ok_or_else(|| E::missing_field("lives"))?,
            holdings: self.holdings.ok_or_else(|| E::missing_field("holdings"))?,
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
