//! What the store holds, and what it held a while ago.

use std::collections::BTreeMap;

use bytes::Bytes;
use tenure::store::{Entry, Read, Removed, Written};
use tenure_core::message::{Versioned, When};
use tenure_core::record::Version;

use crate::clock::Nanos;
use crate::words;

/// How many states are kept for listings that show an old one.
const PAST_KEPT: usize = 64;

/// What is asked of the store.
#[derive(Clone, Debug)]
pub(super) enum Ask {
    Get { key: String, unless: Option<Version> },
    Put { key: String, value: Bytes, when: When },
    Delete { key: String, version: Version },
    List { prefix: String },
}

impl Ask {
    /// What it is about.
    pub(super) fn key(&self) -> &str {
        match self {
            Self::Get { key, .. } | Self::Put { key, .. } | Self::Delete { key, .. } => key,
            Self::List { prefix } => prefix,
        }
    }

    /// What is asked, in words.
    pub(super) fn told(&self) -> String {
        match self {
            Self::Put { key, value, when } => format!("put {key} if {when:?}: {}", words::content(value)),
            _ => format!("{} {}", self.name(), self.key()),
        }
    }

    /// Its name.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Get { .. } => "get",
            Self::Put { .. } => "put",
            Self::Delete { .. } => "delete",
            Self::List { .. } => "list",
        }
    }
}

/// What the store answers.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    Read(Read),
    Written(Written),
    Removed(Removed),
    Entries(Vec<Entry>),
}

type Records = BTreeMap<String, Versioned>;

/// The store.
#[derive(Debug, Default)]
pub(super) struct Depot {
    records: Records,
    drawn: u64,
    past: Vec<(Nanos, Records)>,
    /// Whether it writes whatever the condition: only a seeded bug does this.
    careless: bool,
}

impl Depot {
    /// An empty store, which keeps its word unless it is careless.
    pub(super) fn new(careless: bool) -> Self {
        Self { careless, ..Self::default() }
    }

    /// Carries out a request that arrives at `now`; a listing shows what was there at `as_of`.
    pub(super) fn land(&mut self, now: Nanos, as_of: Nanos, ask: &Ask) -> Answer {
        match ask {
            Ask::Get { key, unless } => Answer::Read(self.get(key, unless.as_ref())),
            Ask::Put { key, value, when } => Answer::Written(self.put(now, key, value, when)),
            Ask::Delete { key, version } => Answer::Removed(self.delete(now, key, version)),
            Ask::List { prefix } => Answer::Entries(self.list(as_of, prefix)),
        }
    }

    /// The record as it is.
    pub(super) fn record(&self, key: &str) -> Option<&Versioned> {
        self.records.get(key)
    }

    fn get(&self, key: &str, unless: Option<&Version>) -> Read {
        match self.records.get(key) {
            None => Read::Absent,
            Some(record) if unless == Some(&record.version) => Read::Unchanged,
            Some(record) => Read::Found(record.clone()),
        }
    }

    fn put(&mut self, now: Nanos, key: &str, value: &Bytes, when: &When) -> Written {
        let fits = match (self.records.get(key), when) {
            (None, When::Absent) => true,
            (Some(record), When::Is(version)) => record.version == *version,
            (None, When::Is(_)) | (Some(_), When::Absent) => false,
        };
        // The probe's own key is looked after, or nobody would start on a careless store.
        let let_pass = self.careless && key.contains("members/");
        if !fits && !let_pass {
            return Written::Conflict;
        }
        self.remember(now);
        self.drawn += 1;
        let version = Version::new(self.drawn.to_string());
        self.records.insert(key.into(), Versioned { version: version.clone(), value: value.clone() });
        Written::Stored(version)
    }

    fn delete(&mut self, now: Nanos, key: &str, version: &Version) -> Removed {
        if self.records.get(key).is_none_or(|record| record.version != *version) {
            return Removed::Conflict;
        }
        self.remember(now);
        self.records.remove(key);
        Removed::Deleted
    }

    /// The records under `prefix`, as they were at `as_of`.
    pub(super) fn list(&self, as_of: Nanos, prefix: &str) -> Vec<Entry> {
        let then = self.past.iter().find(|(until, _)| *until > as_of).map(|(_, records)| records);
        let under = then.unwrap_or(&self.records).iter().filter(|(key, _)| key.starts_with(prefix));
        under.map(|(key, record)| Entry { key: key.clone(), record: record.clone() }).collect()
    }

    /// What is there was so until `now`.
    fn remember(&mut self, now: Nanos) {
        let over = (self.past.len() + 1).saturating_sub(PAST_KEPT);
        self.past.drain(..over);
        self.past.push((now, self.records.clone()));
    }
}
