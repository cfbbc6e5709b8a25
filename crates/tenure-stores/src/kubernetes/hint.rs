//! Hints from watches, kept alive.
//!
//! A watch tells what changed since a resourceVersion; bookmarks move that on while nothing happens, so a watch that breaks
//! goes on where it was and nothing is told twice. Only metadata are watched: pages are large. If the API server no longer
//! knows the place (410), the watch begins anew from the present, and whoever listens is told to look at everything.
//!
//! ```text
//!  present ──► watch ──► event ─► hint ─┐      end, error, silence: rest a while, watch on from the last event
//!     ▲          ▲──────────────────────┘      410 Gone: begin anew, "anything may have changed"
//! ```
//! A member renews its lease every few seconds, and all others are told. As the record is among the metadata, the hint brings
//! it along: nobody has to read it.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::api::{PartialObjectMeta, WatchEvent, WatchParams};
use tenure::clock::Clock;
use tenure::store::{Hint, Versioned};
use tenure_core::moment::Moment;

use super::fault::Trouble;
use super::kept::Kept;
use super::lease::record_in;
use super::place::Place;
use super::shelf::Shelf;
use super::version::version_of;

/// After so many seconds the API server ends a watch by itself, and a little later it is given up.
const WATCH_SECONDS: u32 = 120;
const SILENCE: Duration = Duration::from_secs(WATCH_SECONDS as u64 * 3 / 2 + 10);

/// How long asking for a watch may take.
const ASK_LIMIT: Duration = Duration::from_secs(10);

/// The first rest after a failure, and the longest.
const REST: Duration = Duration::from_millis(100);
const REST_MAX: Duration = Duration::from_secs(30);

/// A watch that lasted this long had not failed from the start.
const LASTING: Duration = Duration::from_secs(5);

/// What is watched.
#[derive(Clone, Debug)]
pub(super) struct Lookout {
    place: Place,
    prefix: String,
}

impl Lookout {
    pub(super) fn new(place: Place, prefix: &str) -> Self {
        Self { place, prefix: prefix.into() }
    }

    fn selector(&self) -> String {
        self.place.selector(&self.prefix)
    }

    fn key(&self, meta: &ObjectMeta) -> Option<String> {
        self.place.key(meta).filter(|key| key.starts_with(&self.prefix))
    }
}

/// Hints about one kind of objects, until the stream is dropped.
pub(super) fn hints<K: Kept>(shelf: Shelf<K>, lookout: Lookout) -> BoxStream<'static, Hint> {
    let watch = Watch { shelf, lookout, since: None, open: None, failures: 0 };
    stream::unfold(watch, |mut watch| async { Some((watch.next().await, watch)) }).boxed()
}

type Event<K> = WatchEvent<PartialObjectMeta<K>>;

struct Watch<K> {
    shelf: Shelf<K>,
    lookout: Lookout,
    /// Everything up to this resourceVersion was told.
    since: Option<String>,
    open: Option<Open<K>>,
    failures: u32,
}

struct Open<K> {
    events: BoxStream<'static, kube::Result<Event<K>>>,
    at: Moment,
}

impl<K: Kept> Watch<K> {
    /// The next hint. Goes on until there is one; the caller drops it when hints are no longer wanted.
    async fn next(&mut self) -> Hint {
        loop {
            let Some(open) = &mut self.open else {
                if self.reopen().await {
                    return Hint::anything();
                }
                continue;
            };
            match Clock::boot().timeout(SILENCE, open.events.next()).await {
                Ok(Some(Ok(event))) => {
                    if let Some(hint) = self.told(event) {
                        return hint;
                    }
                }
                Ok(Some(Err(error))) => self.broke(Some(self.shelf.trouble("watch", error))).await,
                Ok(None) => self.broke(None).await,
                Err(_) => self.broke(Some(Trouble::Late(SILENCE))).await,
            }
        }
    }

    /// Watches on from where it was; true if that was anew, so that anything may have changed.
    async fn reopen(&mut self) -> bool {
        let anew = self.since.is_none();
        match Clock::boot().timeout(ASK_LIMIT, self.ask()).await.unwrap_or(Err(Trouble::Late(ASK_LIMIT))) {
            Ok(open) => {
                self.open = Some(open);
                anew
            }
            Err(trouble) => {
                self.broke(Some(trouble)).await;
                false
            }
        }
    }

    async fn ask(&mut self) -> Result<Open<K>, Trouble> {
        let selector = self.lookout.selector();
        let since = match self.since.take() {
            Some(since) => since,
            None => self.shelf.present(&selector).await?,
        };
        self.since = Some(since.clone());
        let seconds = fastrand::u32(WATCH_SECONDS..=WATCH_SECONDS * 3 / 2);
        let demand = WatchParams::default().labels(&selector).timeout(seconds);
        let events = self.shelf.api.watch_metadata(&demand, &since).await;
        let events = events.map_err(|error| self.refused(error))?.boxed();
        Ok(Open { events, at: Clock::boot().now() })
    }

    fn refused(&mut self, error: kube::Error) -> Trouble {
        if matches!(&error, kube::Error::Api(status) if status.code == 410) {
            self.since = None;
        }
        self.shelf.trouble("watch", error)
    }

    fn told(&mut self, event: Event<K>) -> Option<Hint> {
        match event {
            WatchEvent::Added(object) | WatchEvent::Modified(object) => self.changed(&object.metadata),
            WatchEvent::Deleted(object) => {
                self.passed(object.metadata.resource_version.clone());
                self.lookout.key(&object.metadata).map(Hint::of)
            }
            WatchEvent::Bookmark(mark) => {
                self.passed(Some(mark.metadata.resource_version));
                None
            }
            WatchEvent::Error(status) => {
                self.open = None;
                // Whatever else it is, a watch begun anew is right: it costs one look.
                self.since = None;
                tracing::debug!(status = %status, "a watch ended");
                None
            }
        }
    }

    fn changed(&mut self, meta: &ObjectMeta) -> Option<Hint> {
        self.passed(meta.resource_version.clone());
        let hint = Hint::of(self.lookout.key(meta)?);
        Some(match record_of(meta).filter(|_| K::IN_METADATA) {
            Some(record) => hint.with(record),
            None => hint,
        })
    }

    fn passed(&mut self, revision: Option<String>) {
        self.since = revision.or_else(|| self.since.take());
    }

    /// Rests before the next try: the longer, the more often it failed in a row.
    async fn broke(&mut self, trouble: Option<Trouble>) {
        let clock = Clock::boot();
        let lasted = self.open.take().is_some_and(|open| clock.now().since(open.at) >= LASTING);
        self.failures = if lasted { 0 } else { self.failures.saturating_add(1) };
        if let Some(trouble) = trouble {
            tracing::debug!(error = %trouble, failures = self.failures, "a watch broke off");
        }
        clock.sleep(rest(self.failures, fastrand::f64())).await;
    }
}

fn record_of(meta: &ObjectMeta) -> Option<Versioned> {
    Some(Versioned { version: version_of(meta)?, value: record_in(meta)? })
}

/// How long to rest after so many failures in a row; `chance` from 0 to 1 keeps members apart.
fn rest(failures: u32, chance: f64) -> Duration {
    let doubled = REST.saturating_mul(1 << failures.min(16));
    doubled.min(REST_MAX).mul_f64(0.5 + chance / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_grow_to_a_limit_and_differ() {
        assert_eq!(rest(0, 1.0), REST);
        assert_eq!(rest(3, 1.0), REST * 8);
        assert_eq!(rest(3, 0.0), REST * 4);
        assert_eq!(rest(u32::MAX, 1.0), REST_MAX);
    }
}
