//! The right to extend a journal of a PostgreSQL database.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use tenure::clock::Clock;
use tenure::journal::rows::Holder;
use tenure::journal::{Claim, Entry, JournalError, Place, Seq, Shortened, limits, until_answered};
use tokio::sync::oneshot;

use super::gather::Append;
use super::room::JournalRoom;
use super::{Shared, told};
use crate::postgres::error::Trouble;

/// How many appends of one journal may be on their way.
const UNDER_WAY: usize = 4;

#[derive(Debug)]
pub(super) struct PostgresClaim {
    pub(super) shared: Arc<Shared>,
    pub(super) place: Place,
    pub(super) holder: Holder,
    /// The last entry that is known to be stored.
    pub(super) known: AtomicU64,
}

impl PostgresClaim {
    /// Sends an append once; if the fence does not let it in, finds out what that means.
    async fn append_once(&self, entry: Entry, again: bool) -> Result<(), JournalError> {
        let (place, holder, known) =
            (self.place.clone(), self.holder, Seq(self.known.load(Ordering::Relaxed)));
        let Holder { author, opened } = holder;
        let (seq, (reply, answer)) = (entry.seq, oneshot::channel());
        // A thread that has ended drops it, and with it the reply.
        let at = place.clone();
        let _ = self.shared.appends.send(Append { place: at, author, opened, entry, again, reply });
        let sent = answer.await.unwrap_or(Err(Trouble::Closed));
        if sent.map_err(|trouble| told(trouble, "append", &place))? {
            return Ok(());
        }
        let room = Arc::clone(&self.shared.room);
        let settle = async move { room.settle(&place, &holder, known, seq).await };
        self.shared.ask_once("append", &self.place, settle).await
    }
}

#[async_trait]
impl Claim for PostgresClaim {
    fn under_way(&self) -> usize {
        UNDER_WAY
    }

    async fn append(&self, entry: &Entry) -> Result<(), JournalError> {
        limits::check_entry(entry)?;
        let mut again = false;
        until_answered(|| self.append_once(entry.clone(), std::mem::replace(&mut again, true))).await?;
        self.known.fetch_max(entry.seq.0, Ordering::Relaxed);
        Ok(())
    }

    async fn shorten(&self, upto: Seq, state: Bytes) -> Result<Shortened, JournalError> {
        limits::check_state(&state)?;
        let (author, at) = (self.holder.author, Clock::boot().wall_ms());
        let shorten = |room: Arc<JournalRoom>, place: Place| {
            let state = state.clone();
            async move { room.shorten(&place, &author, upto, at, &state).await }
        };
        self.shared.ask("shorten", self.place.clone(), shorten).await
    }
}
