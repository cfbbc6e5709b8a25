//! How large things may be, and how they may be called: the same on every mechanism, so that a journal can be carried from one to
//! another.
//!
//! What is too large is refused before anything is written. An entry that could be stored and not be read again would be damage.

use super::entry::{Entry, Record};

/// The most bytes of an entry as it is written down.
pub const ENTRY_BYTES_MAX: usize = 8 << 20;

/// The most bytes of a record's key.
pub const KEY_BYTES_MAX: usize = 256;

/// The most bytes of the state of one shard.
pub const STATE_BYTES_MAX: usize = 256 << 20;

/// The most bytes of the state of one key.
pub const PART_BYTES_MAX: usize = 16 << 20;

/// The most bytes of a blob in the depot.
pub const BLOB_BYTES_MAX: usize = 64 << 20;

/// The most bytes of a blob's name.
pub const BLOB_NAME_BYTES_MAX: usize = 512;

/// What is written around the records of an entry: its first line and its sum.
const AROUND: usize = 1 << 10;

/// The most bytes of the records of one entry.
pub(super) const RECORDS_BYTES_MAX: usize = ENTRY_BYTES_MAX - AROUND;

/// Why something can't be stored as it is. Nothing was written.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// The records of one entry.
    #[error(
        "records of {bytes} bytes are more than the {ENTRY_BYTES_MAX} of an entry; divide them, or keep them in the depot and their names here"
    )]
    Entry {
        /// How long they are, written down.
        bytes: usize,
    },
    /// The state of a shard.
    #[error(
        "the journal is full: a state of {bytes} bytes is more than the {STATE_BYTES_MAX} of a shard; let go of what is old, or use more shards"
    )]
    Full {
        /// How long it is.
        bytes: usize,
    },
    /// The state of one key.
    #[error(
        "a part of {bytes} bytes is more than {PART_BYTES_MAX}; divide its key, or keep it in the depot and its name here"
    )]
    Part {
        /// How long it is.
        bytes: usize,
    },
    /// A blob.
    #[error("a blob of {bytes} bytes is more than {BLOB_BYTES_MAX}; divide it")]
    Blob {
        /// How long it is.
        bytes: usize,
    },
    /// A key.
    #[error("a key of {bytes} bytes: a key has one to {KEY_BYTES_MAX}")]
    Key {
        /// How long it is.
        bytes: usize,
    },
    /// The name of a blob.
    #[error(
        "{0:?} is no name of a blob: that is words of letters, digits, `-`, `_`, `=` and `.`, with a slash between them, and up to {BLOB_NAME_BYTES_MAX} bytes"
    )]
    BlobName(String),
}

impl Record {
    /// The most bytes that it takes when it is written down.
    pub fn written_bytes(&self) -> usize {
        const AROUND: usize = 48;
        // A body that is not JSON is written as base64; a byte of a key as six at most.
        let body = (self.body.len() / 3 + 1) * 4;
        body + self.key.as_ref().map_or(0, |key| 6 * key.len()) + AROUND
    }
}

/// Whether an entry of `records` can be stored.
pub fn check_records(records: &[Record]) -> Result<(), Unfit> {
    records.iter().filter_map(|record| record.key.as_deref()).try_for_each(check_key)?;
    let bytes = records.iter().map(Record::written_bytes).sum();
    within(bytes, RECORDS_BYTES_MAX, Unfit::Entry { bytes })
}

/// Whether `entry` can be stored.
pub fn check_entry(entry: &Entry) -> Result<(), Unfit> {
    check_records(&entry.records)
}

/// Whether `state` can stand for the entries of a shard.
pub fn check_state(state: &[u8]) -> Result<(), Unfit> {
    within(state.len(), STATE_BYTES_MAX, Unfit::Full { bytes: state.len() })
}

/// Whether `state` can be the part of `key`.
pub fn check_part(key: &str, state: &[u8]) -> Result<(), Unfit> {
    check_key(key)?;
    within(state.len(), PART_BYTES_MAX, Unfit::Part { bytes: state.len() })
}

/// Whether records can be about `key`.
pub fn check_key(key: &str) -> Result<(), Unfit> {
    let unfit = Unfit::Key { bytes: key.len() };
    if key.is_empty() { Err(unfit) } else { within(key.len(), KEY_BYTES_MAX, unfit) }
}

/// Whether `bytes` can be kept in the depot under `name`.
pub fn check_blob(name: &str, bytes: &[u8]) -> Result<(), Unfit> {
    check_blob_name(name)?;
    within(bytes.len(), BLOB_BYTES_MAX, Unfit::Blob { bytes: bytes.len() })
}

/// Whether a blob can be called `name`.
pub fn check_blob_name(name: &str) -> Result<(), Unfit> {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_=.".contains(&byte);
    let word = |word: &str| !word.is_empty() && !word.starts_with('.') && word.bytes().all(letter);
    let fits = name.len() <= BLOB_NAME_BYTES_MAX && name.split('/').all(word);
    if fits { Ok(()) } else { Err(Unfit::BlobName(name.chars().take(80).collect())) }
}

fn within(bytes: usize, most: usize, unfit: Unfit) -> Result<(), Unfit> {
    if bytes <= most { Ok(()) } else { Err(unfit) }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::ids::{Epoch, Lineage, ShardId};
    use crate::journal::entry::Place;
    use crate::journal::{Author, Run, Seq};

    fn written(records: Vec<Record>) -> usize {
        let author = Author { lineage: Lineage(u128::MAX), epoch: Epoch(u64::MAX), run: Run(u128::MAX) };
        let place = Place { journal: "j".repeat(60).parse().unwrap(), shard: ShardId(u32::MAX) };
        Entry::batch(Seq(u64::MAX), author, u64::MAX, records).encode(&place).len()
    }

    #[test]
    fn what_is_let_in_is_never_longer_when_it_is_written_down() {
        let bodies = [Bytes::new(), "1".into(), vec![0; 1_000].into(), vec![b'1'; 1_000].into()];
        let keys = [None, Some("a".to_owned()), Some("\u{1}".repeat(KEY_BYTES_MAX)), Some("\"".repeat(9))];
        for (body, key) in bodies.iter().flat_map(|body| keys.iter().map(move |key| (body, key))) {
            let record = Record { key: key.clone(), version: u16::MAX, body: body.clone() };
            let most = record.written_bytes() * 100 + AROUND;
            let written = written(vec![record; 100]);
            assert!(written <= most, "{written} bytes, and {most} were foreseen");
        }
    }

    #[test]
    fn many_small_records_are_too_long_together() {
        let records = vec![Record::json(&1); ENTRY_BYTES_MAX / 40];
        assert!(matches!(check_records(&records), Err(Unfit::Entry { .. })));
        assert_eq!(check_records(&records[..100_000]), Ok(()));
    }

    #[test]
    fn a_key_is_neither_empty_nor_long() {
        assert_eq!(check_key(""), Err(Unfit::Key { bytes: 0 }));
        assert_eq!(check_key(&"k".repeat(256)), Ok(()));
        assert_eq!(check_key(&"k".repeat(257)), Err(Unfit::Key { bytes: 257 }));
    }

    #[test]
    fn a_name_of_a_blob_is_words_and_slashes() {
        for name in ["a", "inbox/3/0190-a", "done/1-512.jsonl", "blob/task=1/in"] {
            assert_eq!(check_blob_name(name), Ok(()), "{name}");
        }
        let long = "a".repeat(513);
        for name in ["", "/a", "a/", "a//b", "..", "a/../b", "a/.b", "a b", "ä", "a\\b", &long] {
            assert!(check_blob_name(name).is_err(), "{name}");
        }
    }
}
