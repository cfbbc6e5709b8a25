//! What others changed, as far as watchers were not told yet.

use std::collections::VecDeque;

use tenure::store::{Entry, Hint};

use super::statement::Changes;

/// How many of our own writes are remembered, to tell nobody of them.
const OWN_KEPT: usize = 64;

/// More changes than this at once are told as "something changed".
const NAMED_MAX: usize = 128;

/// Where watchers stand.
#[derive(Debug)]
pub(super) struct News {
    /// The newest number that watchers were told of.
    seen: i64,
    /// SQLite's change counter when it was looked at last: it moves when another connection commits.
    data_version: i64,
    own: VecDeque<i64>,
}

impl News {
    /// Nobody needs to be told of anything up to now.
    pub(super) fn since(seen: i64, data_version: i64) -> Self {
        Self { seen, data_version, own: VecDeque::new() }
    }

    pub(super) fn seen(&self) -> i64 {
        self.seen
    }

    /// A write of ours got this number.
    pub(super) fn note_own(&mut self, number: i64) {
        self.own.push_back(number);
        if self.own.len() > OWN_KEPT {
            self.own.pop_front();
        }
    }

    /// Passes over what we wrote ourselves; whether nothing else is new up to this number.
    pub(super) fn passes(&mut self, newest: i64) -> bool {
        while self.seen < newest && self.own.contains(&(self.seen + 1)) {
            self.seen += 1;
        }
        newest <= self.seen
    }

    /// Whether SQLite's change counter has moved.
    pub(super) fn is_other(&mut self, data_version: i64) -> bool {
        std::mem::replace(&mut self.data_version, data_version) != data_version
    }

    /// What to tell of these changes.
    pub(super) fn hints(&mut self, changes: Changes) -> Vec<Hint> {
        let numbers = changes.newest - self.seen;
        let own = self.own.iter().filter(|number| **number > self.seen && **number <= changes.newest).count();
        let is_foreign = |(number, _): &(i64, Entry)| !self.own.contains(number);
        let foreign: Vec<Entry> =
            changes.written.into_iter().filter(is_foreign).map(|(_, entry)| entry).collect();
        self.seen = changes.newest;
        if foreign.len() > NAMED_MAX {
            return vec![Hint::anything()];
        }
        // A number that no record carries any more was a removal, or was overwritten.
        let unexplained = numbers > i64::try_from(own + foreign.len()).unwrap_or(i64::MAX);
        let named = foreign.into_iter().map(|Entry { key, record }| Hint::of(key).with(record));
        named.chain(unexplained.then_some(Hint::anything())).collect()
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use tenure::store::{Version, Versioned};

    use super::*;

    fn written(number: i64, key: &str) -> (i64, Entry) {
        let record = Versioned { version: Version::new(number.to_string()), value: Bytes::new() };
        (number, Entry { key: key.into(), record })
    }

    fn told(news: &mut News, newest: i64, changed: Vec<(i64, Entry)>) -> Vec<Option<String>> {
        let hints = news.hints(Changes { newest, written: changed });
        hints.into_iter().map(|hint| hint.key).collect()
    }

    #[test]
    fn what_we_wrote_ourselves_is_passed_over_without_a_look() {
        let mut news = News::since(3, 0);
        news.note_own(4);
        news.note_own(5);
        assert!(news.passes(5));
        assert_eq!(news.seen(), 5);
    }

    #[test]
    fn what_another_wrote_in_between_needs_a_look() {
        let mut news = News::since(3, 0);
        news.note_own(4);
        news.note_own(6);
        assert!(!news.passes(6));
        assert_eq!(news.seen(), 4);
        assert_eq!(told(&mut news, 6, vec![written(5, "a"), written(6, "own")]), [Some("a".into())]);
    }

    #[test]
    fn a_number_that_nothing_carries_may_be_a_removal_of_anything() {
        let mut news = News::since(3, 0);
        assert_eq!(told(&mut news, 5, vec![written(5, "a")]), [Some("a".into()), None]);
    }

    #[test]
    fn too_many_changes_are_told_as_one() {
        let mut news = News::since(0, 0);
        let many = i64::try_from(NAMED_MAX).unwrap() + 1;
        let changed = (1..=many).map(|number| written(number, &number.to_string())).collect();
        assert_eq!(told(&mut news, many, changed), [None]);
    }

    #[test]
    fn a_change_counter_is_other_once() {
        let mut news = News::since(0, 7);
        assert!(!news.is_other(7) && news.is_other(8) && !news.is_other(8));
    }
}
