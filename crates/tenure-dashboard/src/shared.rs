//! What all requests share: the board, and those who follow it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tenure::clock::Clock;
use tenure::store::SharedStore;
use tenure::store::layer::metered::Metered;
use tenure::{ClusterName, Member};
use tokio::sync::{Notify, broadcast};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::audit::AuditLog;
use crate::board::{Board, PictureBase};
use crate::guard::Gate;
use crate::json::StreamEvent;
use crate::playground::Playground;

/// A viewer that is so many events behind gets a new picture instead.
const BACKLOG: usize = 256;

/// What a dashboard is given once, when it starts.
#[derive(Debug)]
pub(crate) struct Setup {
    /// Who may ask for what.
    pub(crate) gate: Arc<Gate>,
    /// Where deeds are written down.
    pub(crate) audit: AuditLog,
    /// Processes that may be disturbed.
    pub(crate) playground: Option<Arc<dyn Playground>>,
    /// The member of this process.
    pub(crate) member: Option<Arc<Member>>,
}

/// What all requests share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) cluster: ClusterName,
    pub(crate) store: Arc<Metered<SharedStore>>,
    pub(crate) clock: Clock,
    pub(crate) setup: Setup,
    pub(crate) over: CancellationToken,
    /// Deeds that are being done, also if their clients are gone.
    pub(crate) deeds: TaskTracker,
    /// The cluster was looked at: the feed of changes may compare.
    pub(crate) looked: Notify,
    /// Somebody wrote down something about a member.
    pub(crate) notes_changed: Notify,
    board: Mutex<Board>,
    feed: broadcast::Sender<Arc<StreamEvent>>,
}

impl Shared {
    pub(crate) fn new(cluster: ClusterName, store: SharedStore, base: PictureBase, setup: Setup) -> Self {
        let clock = Clock::boot();
        let (feed, _) = broadcast::channel(BACKLOG);
        Self {
            cluster,
            store: Arc::new(Metered::new(store, clock.clone())),
            board: Mutex::new(Board::new(clock.wall_ms(), base)),
            clock,
            setup,
            over: CancellationToken::new(),
            deeds: TaskTracker::new(),
            looked: Notify::new(),
            notes_changed: Notify::new(),
            feed,
        }
    }

    /// What the dashboard's clock shows.
    pub(crate) fn now_ms(&self) -> u64 {
        self.clock.wall_ms()
    }

    /// Reads from the board.
    pub(crate) fn read<T>(&self, ask: impl FnOnce(&Board, u64) -> T) -> T {
        ask(&self.board(), self.now_ms())
    }

    /// Changes the board, and tells all viewers. No picture is taken in between, so that no event is missed or doubled.
    pub(crate) fn tell(&self, change: impl FnOnce(&mut Board, u64) -> Vec<StreamEvent>) {
        let mut board = self.board();
        for event in change(&mut board, self.now_ms()) {
            // There may be no viewer.
            let _ = self.feed.send(Arc::new(event));
        }
    }

    /// The picture, and all events after it.
    pub(crate) fn follow(&self) -> (StreamEvent, broadcast::Receiver<Arc<StreamEvent>>) {
        let board = self.board();
        let picture = board.picture(self.now_ms());
        (StreamEvent::of_state(picture.seq, "picture", &picture), self.feed.subscribe())
    }

    /// How many follow.
    pub(crate) fn viewers(&self) -> usize {
        self.feed.receiver_count()
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
