//! Recovers a cluster whose store forgot: restored from a backup, or failed over to a replica that lagged.
//!
//! What is written, and in which order, is decided by [`tenure_core::recovery`]; here it is read, written over the very version that was
//! judged, and waited for. Whatever stops it, it goes on where it stopped when it is begun again.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tenure_core::ids::{ClusterName, Lineage, MemberId, Process};
use tenure_core::message::{Versioned, When};
use tenure_core::moment::Timing;
use tenure_core::record::{Formation, Key, MemberRecord, Meta};
use tenure_core::recovery::{Hindrance, Progress, Recovery};

use super::look::PATIENCE;
use super::steer::TRIES;
use crate::clock::Clock;
use crate::driver::{Location, listed};
use crate::error::{Error, ErrorKind};
use crate::member::fresh_bits;
use crate::store::layer::Timeout;
use crate::store::{Read, SharedStore, Store, StoreErrorKind, Written};

/// So often members that write their records again are closed again, before that is told.
const ROUNDS: usize = 5;

/// Why a cluster was not recovered.
#[derive(Debug, thiserror::Error)]
pub enum RecoverError {
    /// It can't be, as it is.
    #[error(transparent)]
    Hindered(#[from] Hindrance),
    /// Somebody else writes what is to be recovered.
    #[error("{0}")]
    Contested(String),
    /// It could not be read or written.
    #[error(transparent)]
    Failed(#[from] Error),
}

/// What a recovery will do.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Forecast {
    meta: Meta,
    recovery: Recovery,
    /// Whether it was begun before, and goes on.
    pub resumed: bool,
    /// How many shards there are.
    pub shards: u32,
    /// The highest epoch that was ever given out, as far as the store remembers.
    pub top: u64,
    /// The members that have a record.
    pub members: BTreeSet<MemberId>,
    /// Those of them that seem to live, by what they last wrote.
    pub alive: BTreeSet<MemberId>,
    /// How long it waits, so that every lease of before is over.
    pub patience: Duration,
}

/// How far a recovery is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A member that starts now does not join any more.
    Begun,
    /// Every epoch is raised, and no shard has an owner.
    Raised,
    /// So many members' records were closed; leases of before end within this time.
    Waits(usize, Duration),
    /// It is done: members come back by themselves.
    Done,
}

/// Somebody who recovers one cluster.
pub struct Recoverer {
    store: SharedStore,
    location: Location,
    clock: Clock,
    author: MemberId,
}

impl std::fmt::Debug for Recoverer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recoverer").field("location", &self.location).finish_non_exhaustive()
    }
}

impl Recoverer {
    /// Recovers the cluster `name` in `store`; pages will name `author`.
    pub fn new(store: impl Store, name: &ClusterName, author: MemberId) -> Self {
        let clock = Clock::boot();
        let store: SharedStore = Arc::new(Timeout::new(store, clock.clone(), PATIENCE));
        Self { store, location: Location::of(name), clock, author }
    }

    /// What would be done; `None` if the store has no such cluster. Writes nothing.
    ///
    /// # Errors
    /// Why it can't be recovered as it is.
    pub async fn forecast(&self) -> Result<Option<Forecast>, RecoverError> {
        let Some(found) = self.read(&Key::Meta).await? else { return Ok(None) };
        let meta = Meta::decode(&found.value).map_err(Hindrance::Unreadable)?;
        let recovery = Recovery::new(&meta, Lineage(fresh_bits()?));
        let (mut top, mut is_new) = (0, meta.state == Formation::Forming);
        for number in 0..meta.pages() {
            let found = self.read(&Key::Page(number)).await?.ok_or_else(|| missing(&meta, number))?;
            let page = recovery.read_page(number, &found.value)?;
            recovery.raised(number, &page, &self.author)?;
            top = page.holdings.iter().map(|holding| holding.top.0).fold(top, u64::max);
            is_new &= recovery.progress(&page) == Progress::Done;
        }
        if is_new && top == 0 {
            return Err(Hindrance::Founding.into());
        }
        let records = self.members(&meta).await?;
        Ok(Some(Forecast {
            resumed: meta.state == Formation::Forming,
            shards: meta.shards,
            top,
            alive: records
                .iter()
                .filter(|(_, _, one)| self.seems_alive(one))
                .map(|(id, ..)| id.clone())
                .collect(),
            members: records.into_iter().map(|(id, ..)| id).collect(),
            patience: recovery.patience(),
            recovery,
            meta,
        }))
    }

    /// Does what was forecast, and tells how far it is. All work is stopped.
    ///
    /// # Errors
    /// Why it could not be finished; begun again, it goes on.
    pub async fn recover(&self, forecast: &Forecast, mut tell: impl FnMut(Step)) -> Result<(), RecoverError> {
        let recovery = &forecast.recovery;
        self.turn(&Key::Meta, |bytes| begun(forecast, bytes)).await?;
        tell(Step::Begun);
        for number in 0..forecast.meta.pages() {
            let raise = |bytes: &[u8]| {
                let page = recovery.read_page(number, bytes)?;
                Ok(recovery.raised(number, &page, &self.author)?.map(|page| page.encode()))
            };
            self.turn(&Key::Page(number), raise).await?;
        }
        tell(Step::Raised);
        self.end_leases(recovery, &mut tell).await?;
        for number in 0..forecast.meta.pages() {
            let finish = |bytes: &[u8]| {
                let page = recovery.read_page(number, bytes)?;
                Ok(recovery.finished(number, &page)?.map(|page| page.encode()))
            };
            self.turn(&Key::Page(number), finish).await?;
        }
        self.turn(&Key::Meta, |bytes| ready(recovery, bytes)).await?;
        tell(Step::Done);
        Ok(())
    }

    /// Closes every member's record, and waits until no lease of before can be good. A record that is found in a line of before after
    /// that was written by somebody who went on with a version that was given twice: it is closed again, and waited for again.
    async fn end_leases(&self, recovery: &Recovery, tell: &mut impl FnMut(Step)) -> Result<(), RecoverError> {
        for round in 0..ROUNDS {
            let closed = self.close_members(recovery).await?;
            if round > 0 && closed == 0 {
                return Ok(());
            }
            tell(Step::Waits(closed, recovery.patience()));
            self.clock.sleep(recovery.patience()).await;
        }
        Err(RecoverError::Contested(
            "members write records of before again and again; stop them, then recover again".into(),
        ))
    }

    async fn close_members(&self, recovery: &Recovery) -> Result<usize, RecoverError> {
        let nobody = Process(fresh_bits()?);
        let mut count = 0;
        for (id, _, record) in self.members(recovery.forming()).await? {
            if recovery.closed(&record, nobody, 0).is_none() {
                continue;
            }
            let ttl_max = recovery.forming().ttl_max();
            let close = |bytes: &[u8]| {
                let record = MemberRecord::decode(&id, bytes, ttl_max).map_err(Hindrance::Unreadable)?;
                Ok(recovery.closed(&record, nobody, self.clock.wall_ms()).map(|closed| closed.encode()))
            };
            self.turn(&Key::Member(id.clone()), close).await?;
            count += 1;
        }
        Ok(count)
    }

    async fn members(&self, meta: &Meta) -> Result<Vec<(MemberId, Versioned, MemberRecord)>, RecoverError> {
        let mut records = Vec::new();
        for (id, found) in listed(&self.store, &self.location).await.map_err(Error::from)? {
            let record = MemberRecord::decode(&id, &found.value, meta.ttl_max());
            records.push((id, found, record.map_err(Hindrance::Unreadable)?));
        }
        Ok(records)
    }

    /// By the wall clocks: nothing rests on it but whether somebody is asked to stop it first.
    fn seems_alive(&self, record: &MemberRecord) -> bool {
        let silence = Timing::for_ttl(record.ttl()).silence(record.ttl());
        let ago = record.at_ms.map(|at_ms| Duration::from_millis(self.clock.wall_ms().saturating_sub(at_ms)));
        record.state.is_open() && ago.is_none_or(|ago| ago < silence)
    }

    /// Writes what `next` makes of a record, if anything, over the very version that it was made of.
    async fn turn(
        &self,
        key: &Key,
        next: impl Fn(&[u8]) -> Result<Option<Bytes>, RecoverError>,
    ) -> Result<(), RecoverError> {
        for _ in 0..TRIES {
            let Some(found) = self.read(key).await? else { return gone(key) };
            let Some(value) = next(&found.value)? else { return Ok(()) };
            match self.store.put(&self.location.path(key), value, When::Is(found.version)).await {
                Ok(Written::Stored(_)) => return Ok(()),
                Ok(Written::Conflict) => {}
                Err(error) if error.kind == StoreErrorKind::Indeterminate => {}
                Err(error) => return Err(Error::from(error).into()),
            }
        }
        let message =
            format!("others wrote {key} {TRIES} times in between; stop the members, then recover again");
        Err(Error::new(ErrorKind::Busy, message).into())
    }

    async fn read(&self, key: &Key) -> Result<Option<Versioned>, Error> {
        Ok(match self.store.get(&self.location.path(key), None).await? {
            Read::Found(found) => Some(found),
            Read::Absent | Read::Unchanged => None,
        })
    }
}

/// A member that is not there any more need not be closed.
fn gone(key: &Key) -> Result<(), RecoverError> {
    match key {
        Key::Member(_) => Ok(()),
        Key::Page(number) => Err(Hindrance::NoPage(*number).into()),
        Key::Meta => Err(contested()),
    }
}

fn missing(meta: &Meta, number: u32) -> Hindrance {
    match meta.state {
        Formation::Ready => Hindrance::NoPage(number),
        Formation::Forming => Hindrance::Founding,
    }
}

/// `meta` as it is while the recovery goes on; nothing, if it says so already.
fn begun(forecast: &Forecast, bytes: &[u8]) -> Result<Option<Bytes>, RecoverError> {
    let (now, ours) = (Meta::decode(bytes).map_err(Hindrance::Unreadable)?, forecast.recovery.forming());
    match now.lineage {
        lineage if lineage == ours.lineage => Ok(None),
        lineage if lineage == forecast.meta.lineage => Ok(Some(ours.encode())),
        _ => Err(contested()),
    }
}

/// `meta` as it is in the end; nothing, if it says so already.
fn ready(recovery: &Recovery, bytes: &[u8]) -> Result<Option<Bytes>, RecoverError> {
    let (now, ready) = (Meta::decode(bytes).map_err(Hindrance::Unreadable)?, recovery.ready());
    if now.lineage != ready.lineage {
        return Err(contested());
    }
    Ok((now.state == Formation::Forming).then(|| ready.encode()))
}

fn contested() -> RecoverError {
    RecoverError::Contested("somebody else recovers the cluster at this moment; look at `tenure acts`".into())
}
