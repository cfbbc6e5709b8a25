//! A watch that is kept alive.
//!
//! A watch tells what changed since a resourceVersion; bookmarks move that on while nothing happens, so a watch that breaks
//! goes on where it was and nothing is told twice. If the API server no longer knows the place (410), the watch begins anew from
//! the present.
//!
//! ```text
//!  list ──► watch ──► event ─┐      end, error, silence: rest a while, watch on from the last event
//!    ▲        ▲──────────────┘      410 Gone: begin anew, and say so
//! ```
//! Streaming lists are never asked for: old servers and proxies don't know them.

use std::fmt::Debug;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use kube::Resource;
use kube::api::{Api, ListParams, WatchEvent, WatchParams};
use serde::de::DeserializeOwned;
use tenure::clock::Clock;
use tenure_core::moment::Moment;

use super::answer::trouble;
use super::error::{Request, Trouble};

/// After so many seconds, or half as many more, the API server ends a watch by itself; a little later it is given up.
const WATCH_SECONDS: u32 = 120;
const SILENCE: Duration = Duration::from_secs(WATCH_SECONDS as u64 * 3 / 2 + 10);

/// How long asking for a watch may take.
const ASK_LIMIT: Duration = Duration::from_secs(10);

/// The first rest after a failure, and the longest.
const REST: Duration = Duration::from_millis(100);
const REST_MAX: Duration = Duration::from_secs(30);

/// A watch that lasted this long had not failed from the start.
const LASTING: Duration = Duration::from_secs(5);

/// What a feed tells.
#[derive(Debug)]
pub(super) enum News<T> {
    /// The watch begins, or begins anew: anything may have changed. This is what was listed.
    Anew(Vec<T>),
    /// An object was made or changed.
    Changed(T),
    /// An object was removed.
    Removed(T),
}

/// Objects of one kind, as they change.
pub(super) struct Feed<T> {
    api: Api<T>,
    /// What is listed at the start; its selector is watched.
    wanted: ListParams,
    request: Request,
    /// Everything up to this resourceVersion was told.
    since: Option<String>,
    open: Option<Open<T>>,
    failures: u32,
}

struct Open<T> {
    events: BoxStream<'static, kube::Result<WatchEvent<T>>>,
    at: Moment,
}

impl<T> Feed<T>
where
    T: Resource<DynamicType = ()> + Clone + Debug + DeserializeOwned + Send + 'static,
{
    /// The objects that `wanted` lists, from now on; `request` is what a Role must grant.
    pub(super) fn new(api: Api<T>, wanted: ListParams, request: Request) -> Self {
        Self { api, wanted, request, since: None, open: None, failures: 0 }
    }

    /// What happens next. Goes on until there is something; the caller drops it when it is no longer wanted.
    pub(super) async fn next(&mut self) -> News<T> {
        loop {
            let news = match &mut self.open {
                Some(open) => {
                    let event = Clock::boot().timeout(SILENCE, open.events.next()).await;
                    let event = event.map_err(|_| Trouble::Late(SILENCE));
                    self.heard(event).await
                }
                None => self.reopen().await,
            };
            if let Some(news) = news {
                return news;
            }
        }
    }

    async fn heard(
        &mut self,
        event: Result<Option<kube::Result<WatchEvent<T>>>, Trouble>,
    ) -> Option<News<T>> {
        let trouble = match event {
            Ok(Some(Ok(event))) => return self.told(event),
            Ok(Some(Err(error))) => Some(trouble(error, &self.request)),
            Ok(None) => None,
            Err(silence) => Some(silence),
        };
        self.broke(trouble).await;
        None
    }

    fn told(&mut self, event: WatchEvent<T>) -> Option<News<T>> {
        match event {
            WatchEvent::Added(object) | WatchEvent::Modified(object) => {
                self.pass(object.meta().resource_version.clone());
                Some(News::Changed(object))
            }
            WatchEvent::Deleted(object) => {
                self.pass(object.meta().resource_version.clone());
                Some(News::Removed(object))
            }
            WatchEvent::Bookmark(mark) => {
                self.pass(Some(mark.metadata.resource_version));
                None
            }
            WatchEvent::Error(status) => {
                tracing::debug!(status = %status, "a watch ended");
                // Whatever it is besides 410, to begin anew is right: it costs one look.
                (self.open, self.since) = (None, None);
                None
            }
        }
    }

    fn pass(&mut self, revision: Option<String>) {
        self.since = revision.or_else(|| self.since.take());
    }

    /// Watches on from where it was, or anew.
    async fn reopen(&mut self) -> Option<News<T>> {
        let asked = Clock::boot().timeout(ASK_LIMIT, self.ask()).await;
        match asked.unwrap_or(Err(Trouble::Late(ASK_LIMIT))) {
            Ok(listed) => listed.map(News::Anew),
            Err(trouble) => {
                self.broke(Some(trouble)).await;
                None
            }
        }
    }

    async fn ask(&mut self) -> Result<Option<Vec<T>>, Trouble> {
        let mut listed = None;
        if self.since.is_none() {
            let present = self.api.list(&self.wanted).await;
            let present =
                present.map_err(|error| trouble(error, &Request { verb: "list", ..self.request.clone() }))?;
            self.pass(present.metadata.resource_version);
            listed = Some(present.items);
        }
        let since = self.since.clone().ok_or_else(|| Trouble::Garbled("a list without a version".into()))?;
        let events = self.api.watch(&self.demand(), &since).await;
        let events = events.map_err(|error| self.refused(error))?.boxed();
        self.open = Some(Open { events, at: Clock::boot().now() });
        Ok(listed)
    }

    fn demand(&self) -> WatchParams {
        let seconds = fastrand::u32(WATCH_SECONDS..=WATCH_SECONDS * 3 / 2);
        let selector = self.wanted.label_selector.clone();
        WatchParams { label_selector: selector, ..WatchParams::default().timeout(seconds) }
    }

    fn refused(&mut self, error: kube::Error) -> Trouble {
        if matches!(&error, kube::Error::Api(status) if status.code == 410) {
            self.since = None;
        }
        trouble(error, &self.request)
    }

    /// Rests before the next try: the longer, the more often it failed in a row.
    async fn broke(&mut self, trouble: Option<Trouble>) {
        let clock = Clock::boot();
        let lasted = self.open.take().is_some_and(|open| clock.now().since(open.at) >= LASTING);
        self.failures = if lasted { 0 } else { self.failures.saturating_add(1) };
        match trouble {
            Some(trouble) if trouble.is_refusal() && self.failures == 1 => {
                tracing::warn!(error = %trouble, "changes are not told; members see them at their next poll");
            }
            Some(trouble) => tracing::debug!(error = %trouble, failures = self.failures, "a watch broke off"),
            None => {}
        }
        clock.sleep(rest(self.failures, fastrand::f64())).await;
    }
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
