//! Records by key, and the parts of keys.
//!
//! A part is an object that is replaced by version, and only by a later one.

use bytes::Bytes;
use futures_util::{StreamExt, stream};

use super::index::Indexes;
use super::shelf::Shelf;
use super::{Objects, READ_AHEAD};
use crate::clock::Clock;
use crate::journal::{Damage, Fault, JournalError, Keyed, Part, Saved, Seq};
use crate::store::{Version, When, Written};

impl<O: Objects> Shelf<O> {
    /// The records about `key` of the entries that the index names.
    pub(super) async fn read_of(
        &self,
        indexes: &Indexes,
        key: &str,
        after: Seq,
        limit: usize,
    ) -> Result<Vec<Keyed>, JournalError> {
        let seqs = indexes.find(&self.place, key, after, limit)?;
        let read = |seq| async move { (seq, self.entry(seq).await) };
        let read: Vec<_> = stream::iter(seqs).map(read).buffered(READ_AHEAD).collect().await;
        // What was truncated meanwhile may be litter of a late write.
        let start = self.start().await?;
        if after.next() < start {
            return Err(JournalError::Shortened { start });
        }
        let mut found = Vec::new();
        for (seq, entry) in read {
            let entry = entry?.ok_or(Fault::Damaged(Damage::EntryGone(seq)))?;
            found.extend(Keyed::of(entry, key));
        }
        Ok(found)
    }

    pub(super) async fn part(&self, key: &str) -> Result<Option<(Version, Part)>, JournalError> {
        let found = self.objects.read(&self.part_name(key)).await?;
        let part = |(version, bytes)| Ok((version, Part::decode(&self.place, key, &bytes)?));
        Ok(found.map(part).transpose().map_err(Fault::Damaged)?)
    }

    pub(super) async fn save_part(&self, key: &str, seq: Seq, state: Bytes) -> Result<Saved, JournalError> {
        let bytes = Part { seq, at_ms: Clock::boot().wall_ms(), state }.encode(&self.place, key);
        loop {
            let when = match self.part(key).await? {
                Some((_, held)) if held.seq > seq => return Ok(Saved::Dropped),
                Some((_, held)) if held.seq == seq => return Ok(Saved::Stored),
                Some((version, _)) => When::Is(version),
                None => When::Absent,
            };
            match self.objects.write(&self.part_name(key), bytes.clone(), when).await? {
                Written::Stored(_) => return Ok(Saved::Stored),
                // Somebody was quicker: theirs may be older.
                Written::Conflict => {}
            }
        }
    }

    fn part_name(&self, key: &str) -> String {
        format!("{}part/{}", self.folder, spell(key))
    }
}

/// The most characters of one word of a name.
const WORD: usize = 200;

/// A key as words that every store takes: what is neither letter nor digit is `=` and two digits; a word that goes on ends with `=`.
fn spell(key: &str) -> String {
    let mut spelt = String::with_capacity(key.len());
    let mut word = 0;
    for byte in key.bytes() {
        if word >= WORD {
            spelt.push_str("=/");
            word = 0;
        }
        let before = spelt.len();
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => spelt.push(byte.into()),
            _ => spelt.push_str(&format!("={byte:02X}")),
        }
        word += spelt.len() - before;
    }
    spelt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_name_of_its_own_that_every_store_takes() {
        assert_eq!(spell("cart-9"), "cart-9");
        assert_eq!(spell("a/b.c=ä"), "a=2Fb=2Ec=3D=C3=A4");
        assert_eq!(spell(".."), "=2E=2E");
        let long = |length| spell(&"k".repeat(length));
        assert_eq!(long(200), "k".repeat(200));
        assert_eq!(long(201), format!("{}=/k", "k".repeat(200)));
        let longest = spell(&"\u{1}".repeat(256));
        assert!(longest.len() <= 780 && longest.split('/').all(|word| word.len() <= 204), "{longest}");
    }
}
