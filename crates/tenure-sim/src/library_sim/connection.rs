//! A process's connection to the store: whatever is asked waits in the outbox until the simulation sends it on.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use tenure::store::{
    Entry, Hint, Read, Registration, Removed, Store, StoreError, StoreErrorKind, Witness, Written,
};
use tenure_core::ids::Process;
use tenure_core::message::{Fault, Reply, When};
use tenure_core::record::{Key, Version};
use tokio::sync::{mpsc, oneshot, watch};

use super::ask::{Ask, path};
use crate::surroundings::ProcessNo;

/// Whoever waits for an answer. Dropped, the answer never comes.
pub(super) type Asker = oneshot::Sender<Reply>;

/// A request that leaves its process.
#[derive(Debug)]
pub(super) struct Call {
    /// The process that sends it.
    pub(super) from: ProcessNo,
    pub(super) ask: Ask,
    pub(super) asker: Asker,
}

/// Requests that were sent and not yet taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Outbox(Arc<Mutex<Vec<Call>>>);

impl Outbox {
    /// Takes all that is there.
    pub(super) fn take(&self) -> Vec<Call> {
        std::mem::take(&mut *self.calls())
    }

    fn calls(&self) -> MutexGuard<'_, Vec<Call>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The store, as one process sees it.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) from: ProcessNo,
    pub(super) outbox: Outbox,
    pub(super) hints: Mutex<Option<mpsc::UnboundedReceiver<Hint>>>,
    pub(super) deaths: Option<Deaths>,
}

impl Connection {
    async fn ask(&self, ask: Ask) -> Result<Reply, StoreError> {
        let (asker, answer) = oneshot::channel();
        self.outbox.calls().push(Call { from: self.from, ask: ask.clone(), asker });
        match answer.await {
            Ok(Reply::Failed(fault)) => Err(error(&ask, fault)),
            Ok(reply) => Ok(reply),
            Err(_) => std::future::pending().await,
        }
    }
}

fn error(ask: &Ask, fault: Fault) -> StoreError {
    let (kind, why) = match fault {
        Fault::Unavailable(why) => (StoreErrorKind::Unavailable, why),
        Fault::Indeterminate(why) => (StoreErrorKind::Indeterminate, why),
        Fault::Denied(why) => (StoreErrorKind::Denied, why),
    };
    StoreError::new(kind, "simulated", ask.verb(), ask.key(), why)
}

#[async_trait]
impl Store for Connection {
    fn kind(&self) -> &'static str {
        "simulated"
    }

    async fn get(&self, key: &str, unless: Option<&Version>) -> Result<Read, StoreError> {
        match self.ask(Ask::Get { key: key.into(), unless: unless.cloned() }).await? {
            Reply::Absent => Ok(Read::Absent),
            Reply::Unchanged => Ok(Read::Unchanged),
            Reply::Found(record) => Ok(Read::Found(record)),
            other => unreachable!("{other:?} answers no get"),
        }
    }

    async fn put(&self, key: &str, value: Bytes, when: When) -> Result<Written, StoreError> {
        match self.ask(Ask::Put { key: key.into(), value, when }).await? {
            Reply::Stored(version) => Ok(Written::Stored(version)),
            Reply::Conflict => Ok(Written::Conflict),
            other => unreachable!("{other:?} answers no put"),
        }
    }

    async fn delete(&self, key: &str, version: &Version) -> Result<Removed, StoreError> {
        match self.ask(Ask::Delete { key: key.into(), version: version.clone() }).await? {
            Reply::Deleted => Ok(Removed::Deleted),
            Reply::Conflict => Ok(Removed::Conflict),
            other => unreachable!("{other:?} answers no delete"),
        }
    }

    async fn list(&self, prefix: &str) -> Result<Vec<Entry>, StoreError> {
        match self.ask(Ask::List { prefix: prefix.into() }).await? {
            Reply::Members(members) => {
                let entry = |(id, record)| Entry { key: path(&Key::Member(id)), record };
                Ok(members.into_iter().map(entry).collect())
            }
            other => unreachable!("{other:?} answers no list"),
        }
    }

    fn watch(&self, _prefix: &str) -> BoxStream<'static, Hint> {
        let hints = self.hints.lock().unwrap_or_else(PoisonError::into_inner).take();
        match hints {
            Some(hints) => {
                stream::unfold(hints, |mut hints| async { Some((hints.recv().await?, hints)) }).boxed()
            }
            None => stream::pending().boxed(),
        }
    }

    fn witness(&self) -> Option<Arc<dyn Witness>> {
        self.deaths.clone().map(|deaths| Arc::new(deaths) as Arc<dyn Witness>)
    }
}

/// The processes that are known to be dead.
#[derive(Clone, Debug)]
pub(super) struct Deaths(pub(super) watch::Receiver<BTreeSet<Process>>);

#[derive(Debug)]
struct Alive;

impl Registration for Alive {}

#[async_trait]
impl Witness for Deaths {
    async fn register(&self, _process: Process) -> Result<Box<dyn Registration>, StoreError> {
        Ok(Box::new(Alive))
    }

    async fn death_of(&self, process: Process) {
        let mut dead = self.0.clone();
        if dead.wait_for(|dead| dead.contains(&process)).await.is_err() {
            std::future::pending().await
        }
    }
}
