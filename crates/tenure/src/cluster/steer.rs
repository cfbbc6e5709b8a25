//! Steers a cluster: each wish is read, judged, written over the very version that was judged, and if somebody was faster,
//! read again.

use tenure_core::ids::{MemberId, Process, ShardId};
use tenure_core::message::Request;
use tenure_core::operator::{self, Mover, Refusal};

use super::Cluster;
use crate::error::{Error, ErrorKind};
use crate::member::fresh_bits;
use crate::store::{StoreErrorKind, Written};

/// How often a wish is tried again when others write the same record: members renew rarely, and so rarely win.
pub(super) const TRIES: usize = 10;

/// Why a cluster does not do what was asked of it.
#[derive(Debug, thiserror::Error)]
pub enum SteerError {
    /// It makes no sense in the cluster as it is.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It could not be read or written.
    #[error(transparent)]
    Failed(#[from] Error),
}

/// How a write ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum End {
    Landed,
    /// Somebody was faster, or that is not known: look again.
    Unknown,
}

impl Cluster {
    /// Asks that `member` hand its shards on and get no others, or takes that back, with the moves that were promised meanwhile.
    /// False if its record says so already.
    ///
    /// # Errors
    /// Why that can't be asked, or why it could not be written.
    pub async fn drain(&mut self, member: &MemberId, drained: bool) -> Result<bool, SteerError> {
        let changed = self.set_drained(member, drained).await?;
        if changed && !drained {
            let promised = operator::promised_away(&self.onlooker, member);
            self.call_off(&promised).await?;
        }
        Ok(changed)
    }

    async fn set_drained(&mut self, member: &MemberId, drained: bool) -> Result<bool, SteerError> {
        for asked in [false].into_iter().chain([true; TRIES]) {
            self.look().await?;
            let Some(request) = operator::drain(&self.onlooker, member, drained)? else { return Ok(asked) };
            if self.write(request).await? == End::Landed {
                return Ok(true);
            }
        }
        Err(busy(&format!("member {member}")))
    }

    /// Promises `shard` to `to`; the members do the rest. False if it is there already.
    ///
    /// # Errors
    /// Why that can't be done now, or why it could not be written.
    pub async fn promise(
        &mut self,
        shard: ShardId,
        to: &MemberId,
        author: &MemberId,
    ) -> Result<bool, SteerError> {
        for asked in [false].into_iter().chain([true; TRIES]) {
            self.look().await?;
            let mover = Mover { author: author.clone(), at_ms: self.clock.wall_ms() };
            let request = match operator::promise(&self.onlooker, shard, to, &mover) {
                // Our own write, whose outcome was unknown, has landed.
                Err(Refusal::Moving { heir, .. }) if asked && heir == *to => return Ok(true),
                Err(Refusal::There { .. }) => return Ok(asked),
                other => other?,
            };
            if self.write(request).await? == End::Landed {
                return Ok(true);
            }
        }
        Err(busy(&format!("the page of shard {shard}")))
    }

    /// Asks the heirs of these shards to give them back; each does unless it has begun. False if none is promised, or all were
    /// asked already.
    ///
    /// # Errors
    /// Why that can't be asked, or why it could not be written.
    pub async fn call_off(&mut self, shards: &[ShardId]) -> Result<bool, SteerError> {
        for asked in [false].into_iter().chain([true; TRIES]) {
            self.look().await?;
            let requests = operator::call_off(&self.onlooker, shards)?;
            if requests.is_empty() {
                return Ok(asked);
            }
            for request in requests {
                // Those that did not land are made again from what is there then.
                self.write(request).await?;
            }
        }
        Err(busy("the records of the heirs"))
    }

    /// Takes its record away from `member`, so that it lapses; `keep_out` drains it too.
    ///
    /// # Errors
    /// Why that can't be done now, or why it could not be written.
    pub async fn fence(&mut self, member: &MemberId, keep_out: bool) -> Result<(), SteerError> {
        let nobody = Process(fresh_bits()?);
        for _ in 0..TRIES {
            self.look().await?;
            let entry = self.onlooker.roster().entry(member);
            if entry.and_then(|entry| entry.readable()).is_some_and(|record| record.process == nobody) {
                return Ok(());
            }
            let request = operator::fence(&self.onlooker, member, nobody, keep_out)?;
            if self.write(request).await? == End::Landed {
                return Ok(());
            }
        }
        Err(busy(&format!("member {member}")))
    }

    async fn write(&mut self, request: Request) -> Result<End, Error> {
        let Request::Put { key, value, when } = request else { return Ok(End::Unknown) };
        match self.store.put(&self.location.path(&key), value, when).await {
            Ok(Written::Stored(_)) => Ok(End::Landed),
            Ok(Written::Conflict) => Ok(End::Unknown),
            Err(error) if error.kind == StoreErrorKind::Indeterminate => Ok(End::Unknown),
            Err(error) => Err(error.into()),
        }
    }
}

pub(super) fn busy(what: &str) -> SteerError {
    let message = format!("others wrote {what} {TRIES} times in between; try again");
    Error::new(ErrorKind::Busy, message).into()
}
