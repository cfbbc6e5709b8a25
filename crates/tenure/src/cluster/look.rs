//! Looks at a cluster: once, or again and again.
//!
//! A look reads all pages and then all members, in that order, as members do: a shard that changes hands meanwhile is shown
//! with its old owner, or with its new one, never with both.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{self, BoxStream};
use futures_util::{FutureExt, StreamExt};
use tenure_core::ids::ClusterName;
use tenure_core::message::Reply;
use tenure_core::record::{Formation, Key, Meta, Version};
use tenure_core::survey::{News, Onlooker, Survey, news};

use crate::clock::Clock;
use crate::driver::{Location, listed};
use crate::error::{Error, ErrorKind};
use crate::store::layer::Timeout;
use crate::store::{Hint, Read, SharedStore, Store, StoreError};

/// No call waits longer: somebody sits in front of it.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// The longest time between two looks of somebody who follows a cluster.
const POLL_MAX: Duration = Duration::from_secs(1);

/// How many pages are read at once.
const AT_ONCE: usize = 16;

/// What a look saw, and what had changed since the one before.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sight {
    /// What was seen.
    pub survey: Survey,
    /// What had changed; on the first look, nothing.
    pub news: Vec<News>,
}

/// A cluster, seen from outside.
pub struct Cluster {
    pub(super) store: SharedStore,
    pub(super) location: Location,
    pub(super) clock: Clock,
    pub(super) onlooker: Onlooker,
    hints: BoxStream<'static, Hint>,
    last: Option<Survey>,
}

impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cluster").field("location", &self.location).finish_non_exhaustive()
    }
}

impl Cluster {
    /// Finds the cluster `name` in `store`; `None` if the store has no such cluster.
    ///
    /// # Errors
    /// [`ErrorKind::Incompatible`]: it can't be understood by this build. [`ErrorKind::Unavailable`]: the store does not
    /// answer, or the cluster is being founded at this moment.
    pub async fn find(store: impl Store, name: &ClusterName) -> Result<Option<Self>, Error> {
        let clock = Clock::boot();
        let hints = store.watch(Location::of(name).prefix());
        let store: SharedStore = Arc::new(Timeout::new(store, clock.clone(), PATIENCE));
        let location = Location::of(name);
        let Some(meta) = meta(&store, &location).await? else { return Ok(None) };
        if meta.state == Formation::Forming {
            let message = format!("cluster {name} is being founded or recovered; try again in a moment");
            return Err(Error::new(ErrorKind::Unavailable, message));
        }
        Ok(Some(Self { store, location, clock, onlooker: Onlooker::new(meta), hints, last: None }))
    }

    /// What all members agree on.
    pub fn meta(&self) -> &Meta {
        self.onlooker.meta()
    }

    /// What the wall clock shows, in milliseconds since 1970: surveys count from it.
    pub fn wall_ms(&self) -> u64 {
        self.clock.wall_ms()
    }

    /// Looks.
    ///
    /// # Errors
    /// The store's own.
    pub async fn look(&mut self) -> Result<Sight, Error> {
        self.read_pages().await?;
        if self.onlooker.book().leaves().iter().any(|leaf| leaf.problem.is_some()) {
            self.follow_lineage().await?;
        }
        let asked_at = self.clock.now();
        let members = listed(&self.store, &self.location).await?;
        let now = self.clock.now();
        self.onlooker.listed(now, asked_at, members);
        let survey = self.onlooker.survey(now, self.clock.wall_ms());
        let news = self.last.as_ref().map_or_else(Vec::new, |last| news(last, &survey));
        self.last = Some(survey.clone());
        Ok(Sight { survey, news })
    }

    /// Waits until the store hints at a change, or a moment has passed; then looks. Cancel-safe while it waits.
    ///
    /// # Errors
    /// The store's own; looking may be tried again.
    pub async fn look_again(&mut self) -> Result<Sight, Error> {
        let poll = (self.meta().ttl_max() / 32).min(POLL_MAX);
        // A hint, or none in time: either way it is time to look.
        if let Ok(None) = self.clock.timeout(poll, self.hints.next()).await {
            self.hints = stream::pending().boxed();
        }
        while let Some(Some(_)) = self.hints.next().now_or_never() {}
        self.look().await
    }

    /// A page can't be used. If that is because the cluster was recovered, everything is looked at anew.
    async fn follow_lineage(&mut self) -> Result<(), Error> {
        let Some(meta) = meta(&self.store, &self.location).await? else { return Ok(()) };
        if meta.lineage == self.meta().lineage {
            return Ok(());
        }
        if meta.state == Formation::Forming {
            return Err(Error::new(
                ErrorKind::Unavailable,
                "the cluster is being recovered; try again in a moment",
            ));
        }
        (self.onlooker, self.last) = (Onlooker::new(meta), None);
        self.read_pages().await
    }

    async fn read_pages(&mut self) -> Result<(), Error> {
        let (store, location) = (&self.store, &self.location);
        let reads = self.onlooker.pages().into_iter().map(|(number, known)| async move {
            (number, page(store, location, number, known.as_ref()).await)
        });
        let replies: Vec<_> = stream::iter(reads).buffer_unordered(AT_ONCE).collect().await;
        let now = self.clock.now();
        for (number, reply) in replies {
            self.onlooker.page_read(now, number, reply?);
        }
        Ok(())
    }
}

async fn page(
    store: &SharedStore,
    location: &Location,
    number: u32,
    known: Option<&Version>,
) -> Result<Reply, StoreError> {
    Ok(match store.get(&location.path(&Key::Page(number)), known).await? {
        Read::Absent => Reply::Absent,
        Read::Unchanged => Reply::Unchanged,
        Read::Found(found) => Reply::Found(found),
    })
}

async fn meta(store: &SharedStore, location: &Location) -> Result<Option<Meta>, Error> {
    match store.get(&location.path(&Key::Meta), None).await? {
        Read::Absent | Read::Unchanged => Ok(None),
        Read::Found(found) => Meta::decode(&found.value)
            .map(Some)
            .map_err(|error| Error::new(ErrorKind::Incompatible, error.to_string())),
    }
}
