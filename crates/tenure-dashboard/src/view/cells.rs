//! Shards as parallel arrays: a name for each would be most of the bytes.

use std::collections::HashMap;

use serde::Serialize;

/// In place of a member: nobody.
pub const NOBODY: i32 = -1;

/// In place of an owner: its ledger page can't be read.
pub const UNKNOWN: i32 = -2;

/// Some shards, or all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Cells {
    /// The state that this belongs to; in the picture, the picture's own.
    pub seq: u64,
    /// When it was seen.
    pub at_ms: u64,
    /// Which shards; absent in a picture, which has all of them in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Vec<u32>>,
    /// The place of the owner among the members, [`NOBODY`] or [`UNKNOWN`].
    pub owner: Vec<i32>,
    /// The place of the member that takes it next, or [`NOBODY`].
    pub heir: Vec<i32>,
    /// The owner's epoch; that of the last one, if there is none.
    pub epoch: Vec<u64>,
    /// Since when the owner has it, by the clock of the member that wrote that; null if the ledger has forgotten.
    pub since_ms: Vec<Option<u64>>,
    /// Why the owner has it, or why nobody does: a place in `reasons`, or null.
    pub why: Vec<Option<u32>>,
    /// The words that `why` points to.
    pub reasons: Vec<String>,
}

/// Collects words, and gives each a place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reasons {
    places: HashMap<String, u32>,
    words: Vec<String>,
}

impl Reasons {
    /// The place of these words.
    pub(crate) fn place(&mut self, words: &str) -> u32 {
        if let Some(place) = self.places.get(words) {
            return *place;
        }
        let place = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        self.places.insert(words.to_owned(), place);
        self.words.push(words.to_owned());
        place
    }

    /// All words, by place.
    pub(crate) fn into_words(self) -> Vec<String> {
        self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_are_told_once() {
        let mut reasons = Reasons::default();
        let places = ["b left", "balance", "b left"].map(|words| reasons.place(words));
        assert_eq!(places, [0, 1, 0]);
        assert_eq!(reasons.into_words(), ["b left", "balance"]);
    }
}
