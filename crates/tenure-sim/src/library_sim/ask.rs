//! What the library asks of its store, by paths: those of the cluster's records are what machines ask, by keys. All others are the
//! probe's, which is kept apart so that a store that breaks its contract lets processes start.

use bytes::Bytes;
use tenure_core::message::{Reply, Request, When};
use tenure_core::record::{Key, Version};

use crate::clock::Nanos;
use crate::network::Sent;
use crate::store::{Expect, Store, Write};
use crate::words;

/// The cluster that all processes are of.
pub(super) const CLUSTER: &str = "sim";

/// What is asked of the store.
#[derive(Clone, Debug)]
pub(super) enum Ask {
    Get { key: String, unless: Option<Version> },
    Put { key: String, value: Bytes, when: When },
    Delete { key: String, version: Version },
    List { prefix: String },
}

impl Sent for Ask {
    fn is_write(&self) -> bool {
        matches!(self, Self::Put { .. } | Self::Delete { .. })
    }

    fn creates_member(&self) -> bool {
        self.request().is_some_and(|request| request.creates_member())
    }
}

impl Ask {
    /// What it is about.
    pub(super) fn key(&self) -> &str {
        match self {
            Self::Get { key, .. } | Self::Put { key, .. } | Self::Delete { key, .. } => key,
            Self::List { prefix } => prefix,
        }
    }

    /// What is done.
    pub(super) fn verb(&self) -> &'static str {
        match self {
            Self::Get { .. } => "get",
            Self::Put { .. } => "put",
            Self::Delete { .. } => "delete",
            Self::List { .. } => "list",
        }
    }

    /// What a machine would ask; `None` if it is the probe that asks.
    pub(super) fn request(&self) -> Option<Request> {
        match self {
            Self::Get { key, unless } => Some(Request::Get { key: named(key)?, unless: unless.clone() }),
            Self::Put { key, value, when } => {
                Some(Request::Put { key: named(key)?, value: value.clone(), when: when.clone() })
            }
            Self::Delete { key, version } => {
                Some(Request::Delete { key: named(key)?, version: version.clone() })
            }
            Self::List { prefix } => {
                assert_eq!(*prefix, format!("{CLUSTER}/{}", Key::MEMBERS), "a member lists members alone");
                Some(Request::ListMembers)
            }
        }
    }

    /// What is asked, in words.
    pub(super) fn told(&self) -> String {
        match self.request() {
            Some(request) => words::request(&request),
            None => format!("{} {}", self.verb(), self.key()),
        }
    }
}

/// The path of a record.
pub(super) fn path(key: &Key) -> String {
    format!("{CLUSTER}/{key}")
}

fn named(path: &str) -> Option<Key> {
    Key::parse(path.strip_prefix(CLUSTER)?.strip_prefix('/')?)
}

/// Carries out what the probe asks.
pub(super) fn probe(probes: &mut Store<String>, now: Nanos, ask: &Ask) -> Reply {
    match ask {
        Ask::Get { key, unless } => probes.read(key, unless.as_ref()),
        Ask::Put { key, value, when } => {
            let write = Write { key, value: Some(value.clone()), when: Expect::from(when) };
            probes.write(now, write).map_or(Reply::Conflict, Reply::Stored)
        }
        Ask::Delete { key, version } => {
            let write = Write { key, value: None, when: Expect::Is(version) };
            probes.write(now, write).map_or(Reply::Conflict, |_| Reply::Deleted)
        }
        Ask::List { .. } => unreachable!("the probe lists nothing"),
    }
}
