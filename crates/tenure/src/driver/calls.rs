//! Store calls: each runs in its own task and brings back exactly one reply.
//!
//! The store is already wrapped in a layer that gives up after the call's time, so no call is without an answer; a store
//! that panics counts as one that may have done its work.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use tenure_core::ids::{ClusterName, MemberId};
use tenure_core::message::{CallId, Fault, Reply, Request, Versioned};
use tenure_core::record::Key;

use super::{Inbox, Input};
use crate::error::chain;
use crate::store::{Read, Removed, SharedStore, StoreError, StoreErrorKind, Written};

/// Where one cluster keeps its records in a store that others may use too.
#[derive(Clone, Debug)]
pub(crate) struct Location(String);

impl Location {
    pub(crate) fn of(cluster: &ClusterName) -> Self {
        Self(format!("{cluster}/"))
    }

    /// The prefix of everything that the cluster has in the store.
    pub(crate) fn prefix(&self) -> &str {
        &self.0
    }

    /// Where a record is kept.
    pub(crate) fn path(&self, key: &Key) -> String {
        format!("{}{key}", self.0)
    }

    fn members(&self) -> String {
        format!("{}{}", self.0, Key::MEMBERS)
    }

    /// The record that is kept at `path`, if it is one of this cluster's.
    pub(crate) fn key(&self, path: &str) -> Option<Key> {
        path.strip_prefix(&self.0).and_then(Key::parse)
    }
}

/// Sends calls to the store.
#[derive(Debug)]
pub(crate) struct Calls {
    store: SharedStore,
    location: Location,
    inbox: Inbox,
}

impl Calls {
    pub(crate) fn new(store: SharedStore, location: Location, inbox: Inbox) -> Self {
        Self { store, location, inbox }
    }

    /// Begins a call; its reply comes by the inbox.
    pub(crate) fn send(&self, call: CallId, request: Request) {
        let (store, location, inbox) = (self.store.clone(), self.location.clone(), self.inbox.clone());
        tokio::spawn(async move {
            let about_ledger = is_about_ledger(&request);
            let work = AssertUnwindSafe(ask(&store, &location, request)).catch_unwind();
            let reply = work
                .await
                .unwrap_or_else(|_| Reply::Failed(Fault::Indeterminate("the store panicked".into())));
            let ledger = about_ledger && matches!(reply, Reply::Found(_) | Reply::Stored(_));
            // A driver that has ended needs no reply.
            let _ = inbox.send(Input::Reply { call, reply, ledger });
        });
    }
}

fn is_about_ledger(request: &Request) -> bool {
    match request {
        Request::Get { key, .. } | Request::Put { key, .. } => matches!(key, Key::Page(_)),
        Request::ListMembers | Request::Delete { .. } => false,
    }
}

async fn ask(store: &SharedStore, location: &Location, request: Request) -> Reply {
    answer(store, location, request).await.unwrap_or_else(|error| Reply::Failed(fault(&error)))
}

async fn answer(store: &SharedStore, location: &Location, request: Request) -> Result<Reply, StoreError> {
    Ok(match request {
        Request::Get { key, unless } => match store.get(&location.path(&key), unless.as_ref()).await? {
            Read::Absent => Reply::Absent,
            Read::Unchanged => Reply::Unchanged,
            Read::Found(record) => Reply::Found(record),
        },
        Request::ListMembers => Reply::Members(listed(store, location).await?),
        Request::Put { key, value, when } => match store.put(&location.path(&key), value, when).await? {
            Written::Stored(version) => Reply::Stored(version),
            Written::Conflict => Reply::Conflict,
        },
        Request::Delete { key, version } => match store.delete(&location.path(&key), &version).await? {
            Removed::Deleted => Reply::Deleted,
            // Nothing happened either way: the record stays, and is looked at again.
            Removed::Conflict | Removed::Unsupported => Reply::Conflict,
        },
    })
}

/// A record under an odd name is no member's lease: it is left out.
pub(crate) async fn listed(
    store: &SharedStore,
    location: &Location,
) -> Result<Vec<(MemberId, Versioned)>, StoreError> {
    let entries = store.list(&location.members()).await?;
    let member = |path: &str| match location.key(path) {
        Some(Key::Member(id)) => Some(id),
        Some(Key::Meta | Key::Page(_)) | None => None,
    };
    Ok(entries.into_iter().filter_map(|entry| Some((member(&entry.key)?, entry.record))).collect())
}

fn fault(error: &StoreError) -> Fault {
    let said = chain(error);
    match error.kind {
        StoreErrorKind::Unavailable => Fault::Unavailable(said),
        StoreErrorKind::Indeterminate => Fault::Indeterminate(said),
        StoreErrorKind::Denied | StoreErrorKind::Invalid | StoreErrorKind::Incompatible => {
            Fault::Denied(said)
        }
    }
}

#[cfg(test)]
#[path = "calls_tests.rs"]
mod tests;
