//! What all requests share: the board, and those who follow it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tenure::ClusterName;
use tenure::clock::Clock;
use tenure::store::SharedStore;
use tenure::store::layer::metered::Metered;
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use crate::board::{Board, Frame, Plate};
use crate::guard::Hosts;

/// A viewer that is so many events behind gets a new picture instead.
const BACKLOG: usize = 256;

/// What all requests share.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(crate) cluster: ClusterName,
    pub(crate) store: Arc<Metered<SharedStore>>,
    pub(crate) clock: Clock,
    pub(crate) hosts: Hosts,
    pub(crate) over: CancellationToken,
    board: Mutex<Board>,
    feed: broadcast::Sender<Arc<Frame>>,
}

impl Desk {
    pub(crate) fn new(cluster: ClusterName, store: SharedStore, plate: Plate, hosts: Hosts) -> Self {
        let clock = Clock::boot();
        let (feed, _) = broadcast::channel(BACKLOG);
        Self {
            cluster,
            store: Arc::new(Metered::new(store, clock.clone())),
            board: Mutex::new(Board::new(clock.wall_ms(), plate)),
            clock,
            hosts,
            over: CancellationToken::new(),
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

    /// Changes the board, and tells everybody. Nobody can take a picture in between, so that no event is missed or doubled.
    pub(crate) fn tell(&self, change: impl FnOnce(&mut Board, u64) -> Vec<Frame>) {
        let mut board = self.board();
        for frame in change(&mut board, self.now_ms()) {
            // Nobody may be there.
            let _ = self.feed.send(Arc::new(frame));
        }
    }

    /// The picture, and all events after it.
    pub(crate) fn follow(&self) -> (Frame, broadcast::Receiver<Arc<Frame>>) {
        let board = self.board();
        let picture = board.picture(self.now_ms());
        (Frame::of_state(picture.seq, "picture", &picture), self.feed.subscribe())
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
