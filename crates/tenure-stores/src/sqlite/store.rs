//! The handle that members use.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use tenure::store::{
    Entry, Hint, Operation, Read, Removed, Store, StoreError, Version, When, Witness, Written,
};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use super::client::Session;
use super::custody::Custodian;
use super::desk::Desk;
use super::error::{KIND, Trouble};
use super::open::Purpose;
use super::place::Place;
use super::url;
use super::witness::LockWitness;
use crate::trouble::StoreTrouble;

/// How long a call waits for another process to let go of the write lock.
const PATIENCE: Duration = Duration::from_millis(250);

/// A store in a SQLite file that any number of processes on one machine share. Clones share one connection.
#[derive(Clone, Debug)]
pub struct SqliteStore {
    desk: Arc<Desk>,
    place: Place,
    purpose: Purpose,
    custodian: Custodian,
}

impl SqliteStore {
    /// Opens the file at `path`, and creates it if it is not there.
    ///
    /// # Errors
    /// Says what is wrong with the path or the file, and what to do about it.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::open_at(Place::find(path.as_ref())?, Purpose::Work).await
    }

    async fn open_at(place: Place, purpose: Purpose) -> Result<Self, StoreError> {
        let (desk, custodian) = Desk::open(place.clone(), purpose, PATIENCE).await?;
        Ok(Self { desk: Arc::new(desk), place, purpose, custodian })
    }

    /// Opens the file at `path`, which must be there, to look: whoever may read it can do so, and nothing is written beside it.
    /// Every write is refused.
    ///
    /// # Errors
    /// As [`Self::open`], and if there is no file, or nothing in it.
    pub async fn look(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let place = Place::find(path.as_ref())?;
        place.must_exist()?;
        Self::open_at(place, Purpose::Look).await
    }

    /// Opens the file that an address names to look, as [`Self::look`] does.
    ///
    /// # Errors
    /// As [`Self::look`], and if the address is not one.
    pub async fn look_url(address: &str) -> Result<Self, StoreError> {
        Self::look(url::path_of(address)?).await
    }

    /// Opens the file that an address such as `sqlite:tenure.db` names.
    ///
    /// # Errors
    /// As [`Self::open`], and if the address is not one.
    pub async fn open_url(address: &str) -> Result<Self, StoreError> {
        Self::open(url::path_of(address)?).await
    }

    /// Opens the file that an address names, and creates none: for those who steer.
    ///
    /// # Errors
    /// As [`Self::open_url`], and if there is no file.
    pub async fn open_existing_url(address: &str) -> Result<Self, StoreError> {
        let path = url::path_of(address)?;
        // Should it disappear right after this, an empty file is made: harmless, and not worth a race with SQLite.
        Place::find(&path)?.must_exist()?;
        Self::open(path).await
    }

    async fn ask<T: Send + 'static>(
        &self,
        operation: Operation,
        key: &str,
        work: impl FnOnce(&mut Session, &str) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, StoreError> {
        let owned = key.to_owned();
        let answer = self.desk.ask(move |session| work(session, &owned)).await;
        answer.map_err(|trouble| trouble.in_call(operation, key))
    }
}

#[async_trait]
impl Store for SqliteStore {
    fn kind(&self) -> &'static str {
        KIND
    }

    async fn get(&self, key: &str, unless: Option<&Version>) -> Result<Read, StoreError> {
        let unless = unless.cloned();
        self.ask(Operation::Get, key, move |session, key| session.get(key, unless.as_ref())).await
    }

    async fn put(&self, key: &str, value: Bytes, when: When) -> Result<Written, StoreError> {
        self.ask(Operation::Put, key, move |session, key| session.put(key, &value, &when)).await
    }

    async fn delete(&self, key: &str, version: &Version) -> Result<Removed, StoreError> {
        let version = version.clone();
        self.ask(Operation::Delete, key, move |session, key| session.delete(key, version)).await
    }

    async fn list(&self, prefix: &str) -> Result<Vec<Entry>, StoreError> {
        self.ask(Operation::List, prefix, |session, prefix| session.list(prefix)).await
    }

    fn watch(&self, prefix: &str) -> BoxStream<'static, Hint> {
        let concerns = under(prefix);
        let hints = stream::unfold(self.desk.hints(), next_hint);
        // The hints end with the last handle; what was watched is closed then, and nothing more is to be said.
        hints.filter(move |hint| std::future::ready(concerns(hint))).chain(stream::pending()).boxed()
    }

    fn witness(&self) -> Option<Arc<dyn Witness>> {
        // Root may look at the database of a user, whose members could not read the locks that root would leave there.
        let witness = || LockWitness::new(Arc::clone(&self.desk), self.place.locks());
        let at_work = self.purpose == Purpose::Work && self.custodian.is_us();
        at_work.then(|| Arc::new(witness()) as Arc<dyn Witness>)
    }
}

fn under(prefix: &str) -> impl Fn(&Hint) -> bool + Send + use<> {
    let prefix = prefix.to_owned();
    move |hint| hint.key.as_ref().is_none_or(|key| key.starts_with(&prefix))
}

async fn next_hint(mut hints: broadcast::Receiver<Hint>) -> Option<(Hint, broadcast::Receiver<Hint>)> {
    match hints.recv().await {
        Ok(hint) => Some((hint, hints)),
        Err(RecvError::Lagged(_)) => Some((Hint::anything(), hints)),
        Err(RecvError::Closed) => None,
    }
}
