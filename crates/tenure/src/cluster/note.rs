//! Notes about members, for the people who look after a cluster: kept with it; no decision depends on them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tenure_core::ids::MemberId;
use tenure_core::message::When;
use tenure_core::operator::Refusal;
use tenure_core::record::Version;

use super::steer::{End, TRIES, busy};
use super::{Cluster, SteerError};
use crate::error::Error;
use crate::store::{Read, StoreErrorKind, Written};

/// The prefix under which notes are, within the cluster.
const NOTES: &str = "notes/";

/// The longest record that is read as a note.
const BYTES_MAX: usize = 4096;

/// What somebody wrote down about a member. Not every store can remove: a note without a text is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// What.
    pub text: String,
    /// Who wrote it.
    pub by: String,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
}

impl Note {
    /// The most characters of a note.
    pub const CHARACTERS_MAX: usize = 500;
}

impl Cluster {
    /// All notes. What can't be read is left out: nothing depends on it.
    ///
    /// # Errors
    /// The store's own.
    pub async fn notes(&mut self) -> Result<BTreeMap<MemberId, Note>, Error> {
        let prefix = format!("{}{NOTES}", self.location.prefix());
        let entries = self.store.list(&prefix).await?;
        let notes = entries.iter().filter_map(|entry| {
            let id = entry.key.strip_prefix(&prefix)?.parse().ok()?;
            Some((id, decode(&entry.record.value).filter(|note| !note.text.is_empty())?))
        });
        Ok(notes.collect())
    }

    /// Writes down something about a member; an empty text strikes out what was there. False if it was so already.
    ///
    /// # Errors
    /// [`Refusal::NoMember`] if no member has that name, or why it could not be written.
    pub async fn note(&mut self, member: &MemberId, note: &Note) -> Result<bool, SteerError> {
        self.look().await?;
        if !note.text.is_empty() && self.onlooker.roster().entry(member).is_none() {
            return Err(Refusal::NoMember(member.clone()).into());
        }
        let key = format!("{}{NOTES}{member}", self.location.prefix());
        for asked in [false].into_iter().chain([true; TRIES]) {
            let (known, version) = self.read_note(&key).await?;
            if known.map_or_else(String::new, |known| known.text) == note.text {
                return Ok(asked);
            }
            if self.write_note(&key, note, version).await? == End::Landed {
                return Ok(true);
            }
        }
        Err(busy(&format!("the note about {member}")))
    }

    async fn read_note(&mut self, key: &str) -> Result<(Option<Note>, Option<Version>), Error> {
        Ok(match self.store.get(key, None).await? {
            Read::Found(found) => (decode(&found.value), Some(found.version)),
            Read::Absent | Read::Unchanged => (None, None),
        })
    }

    async fn write_note(&mut self, key: &str, note: &Note, version: Option<Version>) -> Result<End, Error> {
        let when = version.map_or(When::Absent, When::Is);
        match self.store.put(key, encode(note).into(), when).await {
            Ok(Written::Stored(_)) => Ok(End::Landed),
            Ok(Written::Conflict) => Ok(End::Unknown),
            Err(error) if error.kind == StoreErrorKind::Indeterminate => Ok(End::Unknown),
            Err(error) => Err(error.into()),
        }
    }
}

fn encode(note: &Note) -> Vec<u8> {
    serde_json::to_vec(note).expect("words and numbers are JSON")
}

fn decode(bytes: &[u8]) -> Option<Note> {
    let note: Note = serde_json::from_slice(bytes).ok().filter(|_| bytes.len() <= BYTES_MAX)?;
    Some(note).filter(|note| note.text.chars().count() <= Note::CHARACTERS_MAX)
}
