//! What a page says for people alone: why it was last written, and its last changes.
//!
//! Nothing is decided by it, so nothing of it can spoil the page. What is not understood, a step of a later version or a range
//! that runs backwards, is left out; what is too much is left unread.

use std::collections::VecDeque;
use std::fmt;

use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::{Change, Why};

/// The most changes that a page remembers.
pub(super) const CHANGES_MAX: usize = 16;

/// The most bytes of a reason, in a change or in a page.
pub(super) const REASON_MAX: usize = 1024;

/// The most bytes of one of these that are read at all: the names of ten thousand members, and more.
const TEXT_MAX: usize = 1 << 20;

/// Why a page was written, if that is understood.
pub(super) fn why_of(raw: &RawValue) -> Option<Why> {
    understood(raw).filter(|why: &Why| why.reason.len() <= REASON_MAX)
}

/// The last changes of a page, as far as they are understood.
pub(super) fn changes_of(raw: &RawValue) -> Vec<Change> {
    let last: Last<'_> = serde_json::from_str(raw.get()).unwrap_or_default();
    let changes = last.0.into_iter().filter_map(understood);
    changes.filter(|change: &Change| change.reason.len() <= REASON_MAX).collect()
}

/// How many changes a page tells of, understood or not; one, if it is no list of them.
pub(super) fn changes_told(raw: &RawValue) -> usize {
    serde_json::from_str::<Vec<IgnoredAny>>(raw.get()).map_or(1, |all| all.len())
}

fn understood<'de, T: Deserialize<'de>>(raw: &'de RawValue) -> Option<T> {
    if raw.get().len() > TEXT_MAX {
        return None;
    }
    serde_json::from_str(raw.get()).ok()
}

/// The last few values of a list, not looked into.
#[derive(Default)]
struct Last<'a>(VecDeque<&'a RawValue>);

impl<'de: 'a, 'a> Deserialize<'de> for Last<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(LastVisitor).map(Self)
    }
}

struct LastVisitor;

impl<'de> Visitor<'de> for LastVisitor {
    type Value = VecDeque<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of changes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Self::Value, A::Error> {
        let mut last = VecDeque::with_capacity(CHANGES_MAX + 1);
        while let Some(one) = all.next_element()? {
            last.push_back(one);
            if last.len() > CHANGES_MAX {
                last.pop_front();
            }
        }
        Ok(last)
    }
}
