//! Tells what changes to all who listen: compared once, however many they are, and not at all while there is no listener.
//!
//! A new listener gets the whole picture first, and one that falls behind gets it again: so nothing is missed, and listeners
//! need not say what they heard last.

use std::sync::Arc;
use std::time::Duration;

use tenure::ClusterName;
use tenure::clock::Clock;
use tokio::sync::{Mutex, Notify, broadcast};
use tokio_util::sync::CancellationToken;

use super::answer::owners;
use super::{Beat, Drawn, Owner, Owners, Source};
use crate::json::StreamEvent;

/// A listener that is so many events behind gets the whole picture instead.
const BACKLOG: usize = 64;

/// The longest time between two comparisons: leases end without anybody saying so.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// The time between two signs of life.
const BEAT_EVERY: Duration = Duration::from_secs(5);

/// What changes, for all who listen, and what was told of it.
pub(super) struct ChangeFeed {
    cluster: ClusterName,
    source: Arc<dyn Source>,
    clock: Clock,
    told: Mutex<Vec<Owner>>,
    feed: broadcast::Sender<Arc<StreamEvent>>,
    /// Somebody has begun to listen.
    heard: Notify,
}

impl ChangeFeed {
    /// Tells of `cluster` until `over`.
    pub(super) fn start(cluster: ClusterName, source: Arc<dyn Source>, over: CancellationToken) -> Arc<Self> {
        let (feed, _) = broadcast::channel(BACKLOG);
        let changes = Arc::new(Self {
            cluster,
            source,
            clock: Clock::boot(),
            told: Mutex::default(),
            feed,
            heard: Notify::new(),
        });
        let running = Arc::clone(&changes);
        tokio::spawn(async move { over.run_until_cancelled(running.run()).await });
        changes
    }

    /// What is known now, of one cluster.
    pub(super) async fn drawn(&self) -> Option<Drawn> {
        self.source.drawn().await
    }

    pub(super) fn cluster(&self) -> &ClusterName {
        &self.cluster
    }

    /// The whole picture, and all events after it; `None` if the cluster was not seen yet.
    pub(super) async fn follow(&self) -> Option<(Arc<StreamEvent>, broadcast::Receiver<Arc<StreamEvent>>)> {
        let mut told = self.told.lock().await;
        let drawn = self.source.drawn().await?;
        // No listener can have been told of a change that this picture has and the last one had not.
        self.compare(&mut told, &drawn);
        let all = self.event("all", &drawn, told.clone());
        let events = self.feed.subscribe();
        self.heard.notify_one();
        Some((Arc::new(all), events))
    }

    /// Never returns.
    async fn run(&self) {
        let mut beaten = self.clock.now();
        loop {
            if self.feed.receiver_count() == 0 {
                self.heard.notified().await;
            }
            let mut told = self.told.lock().await;
            let drawn = self.source.drawn().await;
            drawn.iter().for_each(|drawn| self.compare(&mut told, drawn));
            drop(told);
            if self.clock.now().since(beaten) >= BEAT_EVERY {
                beaten = self.clock.now();
                self.beat(drawn.map(|drawn| drawn.seen_ago_ms));
            }
            let _ = self.clock.timeout(LOOK_EVERY, self.source.changed()).await;
        }
    }

    fn compare(&self, told: &mut Vec<Owner>, drawn: &Drawn) {
        let now = owners(drawn);
        let is_another = told.len() != now.len();
        let news: Vec<Owner> =
            now.iter().zip(&*told).filter(|(now, told)| now != told).map(|(now, _)| now.clone()).collect();
        let event = match (is_another, news.is_empty()) {
            (true, _) => Some(self.event("all", drawn, now.clone())),
            (false, true) => None,
            (false, false) => Some(self.event("changed", drawn, news)),
        };
        *told = now;
        // There may be no listener.
        event.into_iter().for_each(|event| drop(self.feed.send(Arc::new(event))));
    }

    fn event(&self, name: &'static str, drawn: &Drawn, owners: Vec<Owner>) -> StreamEvent {
        let said = Owners {
            cluster: self.cluster.to_string(),
            shards: drawn.survey.shards,
            at_ms: self.clock.wall_ms(),
            seen_ago_ms: drawn.seen_ago_ms,
            owners,
        };
        StreamEvent::aside(name, &said)
    }

    fn beat(&self, seen_ago_ms: Option<u64>) {
        let beat = Beat { at_ms: self.clock.wall_ms(), seen_ago_ms };
        let _ = self.feed.send(Arc::new(StreamEvent::aside("beat", &beat)));
    }
}
