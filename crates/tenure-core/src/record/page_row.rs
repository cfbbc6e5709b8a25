//! One holding as a short row of numbers, kept in place.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

const MOST: usize = 5;

/// Two to five numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    numbers: [i64; MOST],
    len: usize,
}

impl Row {
    pub(super) fn of(owner: i64, epoch: i64) -> Self {
        Self { numbers: [owner, epoch, 0, 0, 0], len: 2 }
    }

    pub(super) fn push(&mut self, number: i64) {
        self.numbers[self.len] = number;
        self.len += 1;
    }

    pub(super) fn numbers(&self) -> &[i64] {
        &self.numbers[..self.len]
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.numbers())
    }
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(RowVisitor)
    }
}

struct RowVisitor;

impl<'de> Visitor<'de> for RowVisitor {
    type Value = Row;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a holding of two to five numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut row: A) -> Result<Row, A::Error> {
        let mut numbers = [0; MOST];
        let mut len = 0;
        while let Some(number) = row.next_element()? {
            *numbers.get_mut(len).ok_or_else(|| A::Error::invalid_length(len + 1, &self))? = number;
            len += 1;
        }
        if len < 2 {
            return Err(A::Error::invalid_length(len, &self));
        }
        Ok(Row { numbers, len })
    }
}
