//! Fields of a later version: kept, and written back as they were spelled.
//!
//! Nothing here looks into them. As text they take as much memory as they have bytes; taken apart they took a hundred times
//! that, and anybody who can write a record could have made every reader run out of it.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::names::names_of;

/// The most fields that a record may have which nobody here knows.
pub const UNKNOWN_MAX: usize = 256;

/// Fields of a later version, by name, each as it was spelled.
#[derive(Clone, Default)]
pub struct Unknown(BTreeMap<String, Box<RawValue>>);

impl Unknown {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The fields of a record that a `T` has not.
    pub(super) fn beside<'de, T: Deserialize<'de>>(record: &[u8]) -> Result<Self, serde_json::Error> {
        let mut reader = serde_json::Deserializer::from_slice(record);
        reader.deserialize_map(Beside(names_of::<T>()))
    }

    /// Keeps a field. Of two with one name the later one stays.
    pub(super) fn keep<E: Error>(&mut self, name: String, value: &RawValue) -> Result<(), E> {
        self.0.insert(name, value.to_owned());
        match self.0.len() > UNKNOWN_MAX {
            true => Err(E::custom(format!("more than {UNKNOWN_MAX} fields are not known here"))),
            false => Ok(()),
        }
    }
}

/// Takes what has another name than these.
struct Beside(&'static [&'static str]);

impl<'de> Visitor<'de> for Beside {
    type Value = Unknown;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a record")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Unknown, A::Error> {
        let mut unknown = Unknown::default();
        while let Some(name) = map.next_key::<String>()? {
            if self.0.contains(&name.as_str()) {
                map.next_value::<IgnoredAny>()?;
            } else {
                unknown.keep(name, map.next_value()?)?;
            }
        }
        Ok(unknown)
    }
}

impl Serialize for Unknown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(&self.0)
    }
}

impl PartialEq for Unknown {
    fn eq(&self, other: &Self) -> bool {
        let fields = |of: &Self| -> Vec<(String, String)> {
            of.0.iter().map(|(name, value)| (name.clone(), value.get().to_owned())).collect()
        };
        self.0.len() == other.0.len() && fields(self) == fields(other)
    }
}

impl fmt::Debug for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.0.iter().map(|(name, value)| (name, value.get()))).finish()
    }
}

#[cfg(test)]
impl FromIterator<(String, serde_json::Value)> for Unknown {
    fn from_iter<T: IntoIterator<Item = (String, serde_json::Value)>>(fields: T) -> Self {
        let raw = |value: &serde_json::Value| serde_json::value::to_raw_value(value).unwrap();
        Self(fields.into_iter().map(|(name, value)| (name, raw(&value))).collect())
    }
}
