//! Which entries have records about a key: known in memory for the journals that are open here.
//!
//! A store of names finds nothing by key. But an owner has read every live entry when it opened, and has written all others since; so it
//! knows. The index is what it knows, and ends with its claim.

use std::collections::{BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::journal::{Author, Entry, JournalError, Place, Seq};

/// The indexes of all journals that are open through one handle and its clones.
#[derive(Clone, Debug, Default)]
pub(super) struct Indexes(Arc<Mutex<HashMap<Place, Index>>>);

#[derive(Debug)]
struct Index {
    author: Author,
    start: Seq,
    seqs: HashMap<String, BTreeSet<Seq>>,
}

impl Indexes {
    fn all(&self) -> MutexGuard<'_, HashMap<Place, Index>> {
        // No step on an index can panic halfway.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `author` has opened the journal, and found these entries.
    pub(super) fn opened(&self, place: &Place, author: Author, start: Seq, entries: &[Entry]) {
        let mut index = Index { author, start, seqs: HashMap::new() };
        entries.iter().for_each(|entry| index.note(entry));
        self.all().insert(place.clone(), index);
    }

    /// `author` has stored an entry.
    pub(super) fn appended(&self, place: &Place, author: Author, entry: &Entry) {
        self.of(place, author, |index| index.note(entry));
    }

    /// Nothing is left before `start`.
    pub(super) fn shortened(&self, place: &Place, author: Author, start: Seq) {
        self.of(place, author, |index| index.cut(start));
    }

    /// `author` will extend the journal no more.
    pub(super) fn closed(&self, place: &Place, author: Author) {
        let mut all = self.all();
        if all.get(place).is_some_and(|index| index.author == author) {
            all.remove(place);
        }
    }

    /// The numbers of at most `limit` entries after `after` that have records about `key`.
    pub(super) fn find(
        &self,
        place: &Place,
        key: &str,
        after: Seq,
        limit: usize,
    ) -> Result<Vec<Seq>, JournalError> {
        let all = self.all();
        let index = all.get(place).ok_or_else(|| JournalError::NotOpen(place.clone()))?;
        if after.next() < index.start {
            return Err(JournalError::Shortened { start: index.start });
        }
        let Some(seqs) = index.seqs.get(key) else { return Ok(Vec::new()) };
        Ok(seqs.range((Bound::Excluded(after), Bound::Unbounded)).take(limit).copied().collect())
    }

    /// An author that another one here has followed changes nothing.
    fn of(&self, place: &Place, author: Author, change: impl FnOnce(&mut Index)) {
        let mut all = self.all();
        all.get_mut(place).filter(|index| index.author == author).map(change);
    }
}

impl Index {
    fn note(&mut self, entry: &Entry) {
        for key in entry.records.iter().filter_map(|record| record.key.as_deref()) {
            match self.seqs.get_mut(key) {
                Some(seqs) => drop(seqs.insert(entry.seq)),
                None => drop(self.seqs.insert(key.to_owned(), BTreeSet::from([entry.seq]))),
            }
        }
    }

    fn cut(&mut self, start: Seq) {
        self.start = self.start.max(start);
        self.seqs.retain(|_, seqs| {
            *seqs = seqs.split_off(&start);
            !seqs.is_empty()
        });
    }
}
