//! What people did to a cluster: kept with it, so that each operator sees the deeds of all others, by whichever way they
//! came. No decision depends on it.
//!
//! The last [`Act::KEPT`] are kept, in one record. Everybody who may write to the store may also forge it: it tells colleagues, it
//! proves nothing to a court.

use serde::{Deserialize, Serialize};
use tenure_core::message::When;
use tenure_core::record::Version;

use super::steer::{TRIES, busy};
use super::{Cluster, SteerError};
use crate::error::Error;
use crate::member::fresh_bits;
use crate::store::{Read, StoreErrorKind, Written};

/// Where the record is, within the cluster.
const ACTS: &str = "acts/recent";

/// The longest record that is read as a list of acts.
const BYTES_MAX: usize = 512 * 1024;

/// The most characters of each text of an act.
const CHARACTERS_MAX: usize = 500;

/// How an act ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Came {
    /// It was done.
    Done,
    /// It was not, for this reason.
    Refused(String),
}

impl From<Result<(), String>> for Came {
    fn from(came: Result<(), String>) -> Self {
        came.map_or_else(Self::Refused, |()| Self::Done)
    }
}

/// One thing that somebody did to a cluster, or tried to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Act {
    /// Tells it from all others.
    pub id: String,
    /// When, in milliseconds since 1970, by the clock of the person who did it.
    pub at_ms: u64,
    /// Who.
    pub who: String,
    /// By which way: the command line, a dashboard.
    pub by: String,
    /// What, as one would type it.
    pub what: String,
    /// Why, in that person's words; may be empty.
    pub why: String,
    /// What came of it; `None` while that is not known: its author may have been cut off.
    pub came: Option<Came>,
}

impl Act {
    /// So many are kept.
    pub const KEPT: usize = 100;

    /// An act that begins now.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn new(who: &str, by: &str, what: &str, why: &str, at_ms: u64) -> Result<Self, Error> {
        let id = format!("{:032x}", fresh_bits()?);
        let [who, by, what, why] = [who, by, what, why].map(short);
        Ok(Self { id, at_ms, who, by, what, why, came: None })
    }
}

impl Cluster {
    /// What was done, the latest last. What can't be read is left out: nothing depends on it.
    ///
    /// # Errors
    /// The store's own.
    pub async fn acts(&mut self) -> Result<Vec<Act>, Error> {
        Ok(self.read_acts().await?.0)
    }

    /// Writes an act down, in place of the same act as it was.
    ///
    /// # Errors
    /// Why it could not be written.
    pub async fn write_down(&mut self, act: &Act) -> Result<(), SteerError> {
        for _ in 0..TRIES {
            let (mut acts, version) = self.read_acts().await?;
            if acts.contains(act) {
                return Ok(());
            }
            match acts.iter_mut().find(|known| known.id == act.id) {
                Some(known) => known.clone_from(act),
                None => acts.push(act.clone()),
            }
            acts.drain(..acts.len().saturating_sub(Act::KEPT));
            if self.write_acts(&acts, version).await? {
                return Ok(());
            }
        }
        Err(busy("the list of acts"))
    }

    async fn read_acts(&mut self) -> Result<(Vec<Act>, Option<Version>), Error> {
        let key = format!("{}{ACTS}", self.location.prefix());
        Ok(match self.store.get(&key, None).await? {
            Read::Found(found) => (decode(&found.value), Some(found.version)),
            Read::Absent | Read::Unchanged => (Vec::new(), None),
        })
    }

    /// Whether it is known to have landed.
    async fn write_acts(&mut self, acts: &[Act], version: Option<Version>) -> Result<bool, Error> {
        let key = format!("{}{ACTS}", self.location.prefix());
        let value = serde_json::to_vec(acts).expect("words and numbers are JSON");
        match self.store.put(&key, value.into(), version.map_or(When::Absent, When::Is)).await {
            Ok(Written::Stored(_)) => Ok(true),
            Ok(Written::Conflict) => Ok(false),
            Err(error) if error.kind == StoreErrorKind::Indeterminate => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

fn short(text: &str) -> String {
    text.chars().take(CHARACTERS_MAX).collect()
}

fn decode(bytes: &[u8]) -> Vec<Act> {
    if bytes.len() > BYTES_MAX {
        return Vec::new();
    }
    serde_json::from_slice::<Vec<Act>>(bytes).unwrap_or_default()
}
