//! Which fields a record has: asked of its reader, so that no list can lag behind it.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::forward_to_deserialize_any;

/// The names of the fields that a `T` is read from; none if it is no struct with names.
pub(super) fn names_of<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    match T::deserialize(Asker) {
        Ok(_) => &[],
        Err(Answer(names)) => names,
    }
}

/// Pretends to have a record, to hear which fields are asked for.
struct Asker;

/// The fields that were asked for, told as an error because no record follows.
#[derive(Debug)]
struct Answer(&'static [&'static str]);

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl std::error::Error for Answer {}

impl Error for Answer {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self(&[])
    }
}

impl<'de> Deserializer<'de> for Asker {
    type Error = Answer;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Answer> {
        Err(Answer(&[]))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Answer> {
        Err(Answer(names))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
