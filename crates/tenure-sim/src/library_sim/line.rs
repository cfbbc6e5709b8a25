//! A process's end of the line to the store: whatever is asked waits in the outbox until the simulation sends it on.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use tenure::store::{Entry, Hint, Read, Registration, Removed, Store, StoreError, Witness, Written};
use tenure_core::ids::Process;
use tenure_core::message::When;
use tenure_core::record::Version;
use tokio::sync::{mpsc, oneshot, watch};

use super::depot::{Answer, Ask};

/// Whoever waits for an answer. Dropped, the answer never comes.
pub(super) type Asker = oneshot::Sender<Result<Answer, StoreError>>;

/// A request on its way.
#[derive(Debug)]
pub(super) struct Call {
    /// The process that sent it.
    pub(super) from: usize,
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
pub(super) struct Line {
    pub(super) from: usize,
    pub(super) outbox: Outbox,
    pub(super) hints: Mutex<Option<mpsc::UnboundedReceiver<Hint>>>,
    pub(super) graves: Option<Graves>,
}

impl Line {
    async fn ask(&self, ask: Ask) -> Result<Answer, StoreError> {
        let (asker, answer) = oneshot::channel();
        self.outbox.calls().push(Call { from: self.from, ask, asker });
        match answer.await {
            Ok(answer) => answer,
            Err(_) => std::future::pending().await,
        }
    }
}

#[async_trait]
impl Store for Line {
    fn kind(&self) -> &'static str {
        "sim"
    }

    async fn get(&self, key: &str, unless: Option<&Version>) -> Result<Read, StoreError> {
        match self.ask(Ask::Get { key: key.into(), unless: unless.cloned() }).await? {
            Answer::Read(read) => Ok(read),
            other => unreachable!("{other:?} answers no get"),
        }
    }

    async fn put(&self, key: &str, value: Bytes, when: When) -> Result<Written, StoreError> {
        match self.ask(Ask::Put { key: key.into(), value, when }).await? {
            Answer::Written(written) => Ok(written),
            other => unreachable!("{other:?} answers no put"),
        }
    }

    async fn delete(&self, key: &str, version: &Version) -> Result<Removed, StoreError> {
        match self.ask(Ask::Delete { key: key.into(), version: version.clone() }).await? {
            Answer::Removed(removed) => Ok(removed),
            other => unreachable!("{other:?} answers no delete"),
        }
    }

    async fn list(&self, prefix: &str) -> Result<Vec<Entry>, StoreError> {
        match self.ask(Ask::List { prefix: prefix.into() }).await? {
            Answer::Entries(entries) => Ok(entries),
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
        self.graves.clone().map(|graves| Arc::new(graves) as Arc<dyn Witness>)
    }
}

/// The processes that are known to be dead.
#[derive(Clone, Debug)]
pub(super) struct Graves(pub(super) watch::Receiver<BTreeSet<Process>>);

#[derive(Debug)]
struct Alive;

impl Registration for Alive {}

#[async_trait]
impl Witness for Graves {
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
