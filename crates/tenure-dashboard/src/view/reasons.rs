//! Words that many shards share, each told once.

use std::collections::HashMap;

/// Collects words, and gives each a place.
#[derive(Clone, Debug, Default)]
pub struct Reasons {
    places: HashMap<String, u32>,
    words: Vec<String>,
}

impl Reasons {
    /// The place of these words.
    pub fn place(&mut self, words: &str) -> u32 {
        if let Some(place) = self.places.get(words) {
            return *place;
        }
        let place = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        self.places.insert(words.to_owned(), place);
        self.words.push(words.to_owned());
        place
    }

    /// All words, by place.
    pub fn into_words(self) -> Vec<String> {
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
