//! Where answers come from: somebody who looks at a cluster; here, a member of this process.
//!
//! To draw up all that a member knows costs as much as it has shards. So it is drawn up when somebody asks, and for all who ask within a
//! moment together.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tenure::clock::Clock;
use tenure::cluster::Survey;
use tenure::member::LifeState;
use tenure::{Member, Router};
use tenure_core::moment::Moment;
use tokio::sync::Mutex;

/// Who asks within this time gets the same answer.
const GOOD_FOR: Duration = Duration::from_millis(100);

/// A member, once it has joined.
pub struct OfMember {
    clock: Clock,
    member: Arc<dyn Fn() -> Option<Arc<Member>> + Send + Sync>,
    last: Mutex<Option<(Moment, Drawn)>>,
    routes: Mutex<Option<Router>>,
}

impl std::fmt::Debug for OfMember {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OfMember").finish_non_exhaustive()
    }
}

impl OfMember {
    /// Answers by what the member knows that `member` gives; it may give none yet.
    pub fn new(member: impl Fn() -> Option<Arc<Member>> + Send + Sync + 'static) -> Self {
        Self {
            clock: Clock::boot(),
            member: Arc::new(member),
            last: Mutex::default(),
            routes: Mutex::default(),
        }
    }
}

#[async_trait]
impl Source for OfMember {
    async fn drawn(&self) -> Option<Drawn> {
        let member = (self.member)()?;
        let mut last = self.last.lock().await;
        let now = self.clock.now();
        if let Some((at, drawn)) = last.as_ref().filter(|(at, _)| now.since(*at) < GOOD_FOR) {
            let passed_ms = now.since(*at).as_millis() as u64;
            let seen_ago_ms = drawn.seen_ago_ms + passed_ms;
            return Some(Drawn { drawn_ago_ms: passed_ms, seen_ago_ms, ..drawn.clone() });
        }
        let snapshot = member.snapshot().await.ok()?;
        // One that has ended looks at nothing any more.
        let seen_ago_ms = snapshot.seen_ago_ms.filter(|_| snapshot.me.state != LifeState::Ended)?;
        let drawn = Drawn { survey: Arc::new(snapshot.survey()), drawn_ago_ms: 0, seen_ago_ms };
        *last = Some((self.clock.now(), drawn.clone()));
        Some(drawn)
    }

    async fn changed(&self) {
        let mut routes = self.routes.lock().await;
        if routes.is_none() {
            *routes = (self.member)().map(|member| member.router().clone());
        }
        let changed = match routes.as_mut() {
            Some(routes) => routes.changed().await,
            None => false,
        };
        if !changed {
            // There is no member yet, or none any more: wait by the clock.
            std::future::pending::<()>().await;
        }
    }
}

/// What is known of a cluster, and how old that is.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// What is known.
    pub survey: Arc<Survey>,
    /// How long ago it was drawn up, in milliseconds: the ages in it count from then.
    pub drawn_ago_ms: u64,
    /// How long ago the store was last looked at as a whole, in milliseconds.
    pub seen_ago_ms: u64,
}

/// Somebody who looks at a cluster.
#[async_trait]
pub trait Source: Send + Sync + 'static {
    /// What is known now; `None` if the cluster was not seen yet.
    async fn drawn(&self) -> Option<Drawn>;

    /// Completes when something may have changed. Cancel-safe.
    async fn changed(&self);
}
