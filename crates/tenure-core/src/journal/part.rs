//! Parts: the state of one key, beside the journal.
//!
//! Who has thousands of keys in a shard and needs one of them now does not want to fold all. A part is the fold of one key's records
//! up to an entry; with the records after it, it is the key's state. It says nothing that the entries did not say, so whoever makes
//! it, however late, makes it true; it needs no fence, and only never goes back.
//!
//! ```text
//!  {"v":1,"journal":"carts","shard":3,"key":"cart-9","seq":43,"at":1767225600000,"bytes":12}
//!  the state, as it is
//!  {"sum":"…"}
//! ```

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::ids::ShardId;

use super::author::{JournalName, Seq};
use super::entry::Place;
use super::fault::Damage;
use super::limits::PART_BYTES_MAX;
use super::lines;

const FORMAT: u32 = 1;

/// The most bytes around the state.
const AROUND: usize = 4 << 10;

/// The state of one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The last entry that it contains.
    pub seq: Seq,
    /// The wall clock of who saved it, for people.
    pub at_ms: u64,
    /// What the journal's user wrote.
    pub state: Bytes,
}

/// What became of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Saved {
    /// It is stored, or one of the same entry was, which is the same.
    Stored,
    /// A newer one is stored, and stays.
    Dropped,
}

#[derive(Serialize, Deserialize)]
struct PartLine {
    v: u32,
    journal: JournalName,
    shard: ShardId,
    key: String,
    seq: Seq,
    at: u64,
    bytes: usize,
}

impl Part {
    /// The part of `key` as it is stored at `place`.
    pub fn encode(&self, place: &Place, key: &str) -> Bytes {
        let (journal, shard, key) = (place.journal.clone(), place.shard, key.to_owned());
        let (seq, at, bytes) = (self.seq, self.at_ms, self.state.len());
        let mut text = lines::Writer::begin(&PartLine { v: FORMAT, journal, shard, key, seq, at, bytes });
        text.raw(&self.state);
        text.end()
    }

    /// Reads the part of `key` at `place`.
    pub fn decode(place: &Place, key: &str, bytes: &Bytes) -> Result<Self, Damage> {
        let what = || format!("the part of {key:?} of shard {}", place.shard);
        Self::read(place, key, bytes).map_err(|why| Damage::Unreadable { what: what(), why })
    }

    fn read(place: &Place, key: &str, bytes: &Bytes) -> Result<Self, String> {
        let mut lines = lines::Reader::begin(bytes, PART_BYTES_MAX + AROUND)?;
        let line: PartLine = lines.first(FORMAT)?;
        lines::same("journal", &place.journal, &line.journal)?;
        lines::same("shard", &place.shard, &line.shard)?;
        lines::same("key", &key, &line.key.as_str())?;
        let state = lines.state(bytes, line.bytes)?;
        Ok(Self { seq: line.seq, at_ms: line.at, state })
    }
}
