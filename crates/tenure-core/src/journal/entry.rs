//! One entry of a journal: what was appended at once, or the fence of an owner.
//!
//! Stored as JSON lines that any tool reads:
//!
//! ```text
//!  {"v":1,"journal":"carts","shard":3,"lineage":"…","seq":43,"epoch":7,"run":"…","kind":"batch","at":1767225600000}
//!  {"key":"cart-9","version":1,"body":{"added":"apples"}}
//!  {"version":1,"bytes":"AAEC"}
//!  {"sum":"…"}
//! ```
//! A fence has no records, and neither has an adoption, which says `"kind":"adoption","from":"…"`. A body that is JSON stands there as it is, byte for byte; any other as base64.

use std::borrow::Cow;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::ids::{Epoch, Lineage, ShardId};

use super::author::{Author, JournalName, Run, Seq};
use super::fault::Damage;
use super::limits::ENTRY_BYTES_MAX;
use super::lines;

/// The format that this build writes.
const FORMAT: u32 = 1;

/// An entry of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// Its number.
    pub seq: Seq,
    /// Who wrote it.
    pub author: Author,
    /// The wall clock of its author, for people and for folds that need a time that all of them agree on.
    pub at_ms: u64,
    /// Whether it opens or extends the journal.
    pub kind: Kind,
    /// What was appended; a fence has none.
    pub records: Vec<Record>,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The first entry of a start of work: ends all others before it.
    Fence,
    /// Records, all or none of them.
    Batch,
    /// An operator's word: what another founding wrote goes on under the lineage of this entry's author. Ends all others before it.
    Adoption {
        /// The lineage of the entries before.
        from: Lineage,
    },
}

/// One record of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// What it is about, if it is to be found by that.
    pub key: Option<String>,
    /// The version of the body's shape, as its writer counts.
    pub version: u16,
    /// What its writer wants to keep.
    pub body: Bytes,
}

/// Where an entry belongs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The journal.
    pub journal: JournalName,
    /// The shard.
    pub shard: ShardId,
}

#[derive(Serialize, Deserialize)]
struct FirstLine {
    v: u32,
    journal: JournalName,
    shard: ShardId,
    lineage: Lineage,
    seq: Seq,
    epoch: Epoch,
    run: Run,
    kind: Word,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<Lineage>,
    at: u64,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Fence,
    Batch,
    Adoption,
}

impl Kind {
    fn spell(self) -> (Word, Option<Lineage>) {
        match self {
            Self::Fence => (Word::Fence, None),
            Self::Batch => (Word::Batch, None),
            Self::Adoption { from } => (Word::Adoption, Some(from)),
        }
    }

    fn read(word: Word, from: Option<Lineage>) -> Result<Self, String> {
        match (word, from) {
            (Word::Fence, None) => Ok(Self::Fence),
            (Word::Batch, None) => Ok(Self::Batch),
            (Word::Adoption, Some(from)) => Ok(Self::Adoption { from }),
            (Word::Adoption, None) => Err("it adopts, and does not say from whom".into()),
            (Word::Fence | Word::Batch, Some(_)) => Err("it says from whom, and adopts nothing".into()),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of shard {}", self.journal, self.shard)
    }
}

#[derive(Serialize, Deserialize)]
struct RecordLine<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<Cow<'a, str>>,
    version: u16,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    body: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<String>,
}

impl Record {
    /// A record without a key whose body is `body` as JSON, in the first version of its shape.
    ///
    /// # Panics
    /// If `body` can't be JSON: a map with keys that are no strings, or its own serialisation fails.
    pub fn json(body: &impl Serialize) -> Self {
        let body = serde_json::to_vec(body).expect("the body can be JSON").into();
        Self { key: None, version: 1, body }
    }

    /// The same record, to be found by `key`.
    #[must_use]
    pub fn about(self, key: impl Into<String>) -> Self {
        Self { key: Some(key.into()), ..self }
    }
}

impl Entry {
    /// The fence of `author`, under `seq`.
    pub fn fence(seq: Seq, author: Author, at_ms: u64) -> Self {
        Self { seq, author, at_ms, kind: Kind::Fence, records: Vec::new() }
    }

    /// The fence, under `seq`, by which the founding `lineage` takes over what the founding `from` wrote.
    pub fn adoption(seq: Seq, from: Lineage, lineage: Lineage, at_ms: u64) -> Self {
        let (author, kind) = (Author::adopting(lineage), Kind::Adoption { from });
        Self { seq, author, at_ms, kind, records: Vec::new() }
    }

    /// An entry of `records`, under `seq`.
    pub fn batch(seq: Seq, author: Author, at_ms: u64, records: Vec<Record>) -> Self {
        Self { seq, author, at_ms, kind: Kind::Batch, records }
    }

    /// The entry as it is stored at `place`.
    pub fn encode(&self, place: &Place) -> Bytes {
        let Author { lineage, epoch, run } = self.author;
        let (journal, shard) = (place.journal.clone(), place.shard);
        let (seq, (kind, from), at) = (self.seq, self.kind.spell(), self.at_ms);
        let first = FirstLine { v: FORMAT, journal, shard, lineage, seq, epoch, run, kind, from, at };
        let mut text = lines::Writer::begin(&first);
        for record in &self.records {
            let (body, bytes) = spell(&record.body);
            text.line(&RecordLine {
                key: record.key.as_deref().map(Cow::Borrowed),
                version: record.version,
                body,
                bytes,
            });
        }
        text.end()
    }

    /// Reads what is stored under `seq` at `place`. Whatever the bytes, this ends with an entry or with what is wrong.
    pub fn decode(place: &Place, seq: Seq, bytes: &Bytes) -> Result<Self, Damage> {
        Self::read(place, seq, bytes)
            .map_err(|why| Damage::Unreadable { what: format!("entry {seq} of shard {}", place.shard), why })
    }

    fn read(place: &Place, seq: Seq, bytes: &Bytes) -> Result<Self, String> {
        let mut lines = lines::Reader::begin(bytes, ENTRY_BYTES_MAX)?;
        let first: FirstLine = lines.first(FORMAT)?;
        lines::same("journal", &place.journal, &first.journal)?;
        lines::same("shard", &place.shard, &first.shard)?;
        lines::same("number", &seq, &first.seq)?;
        let mut records = Vec::new();
        while let Some(line) = lines.line::<RecordLine<'_>>()? {
            let key = line.key.map(Cow::into_owned);
            records.push(Record { key, version: line.version, body: unspell(bytes, line.body, line.bytes)? });
        }
        let FirstLine { lineage, epoch, run, at, kind, from, .. } = first;
        let kind = Kind::read(kind, from)?;
        Ok(Self { seq, author: Author { lineage, epoch, run }, at_ms: at, kind, records })
    }
}

/// JSON only if it comes back byte for byte: on one line, with nothing around it.
fn spell(bytes: &[u8]) -> (Option<&RawValue>, Option<String>) {
    let json = serde_json::from_slice::<&RawValue>(bytes).ok();
    let exact = json.filter(|json| json.get().len() == bytes.len() && !bytes.contains(&b'\n'));
    (exact, exact.is_none().then(|| STANDARD.encode(bytes)))
}

/// JSON is not copied out of the `whole` that it stands in.
fn unspell(whole: &Bytes, json: Option<&RawValue>, bytes: Option<String>) -> Result<Bytes, String> {
    match (json, bytes) {
        (Some(json), None) => Ok(whole.slice_ref(json.get().as_bytes())),
        (None, Some(text)) => STANDARD.decode(text).map(Bytes::from).map_err(|error| error.to_string()),
        (Some(_), Some(_)) | (None, None) => Err("a record has either a body or bytes".into()),
    }
}
