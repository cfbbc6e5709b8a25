//! Looks at the cluster for all viewers together: once after a hint or a moment, as members do, and never more often than
//! its pace allows. It writes nothing.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tenure::cluster::Cluster;
use tenure::{Error, MemberId};
use tracing::error;

use super::extras_reader::ExtrasReader;
use super::pace::Pace;
use crate::board::{Extras, Outside, STEP_MS, Seen};
use crate::json::StreamEvent;
use crate::shared::Shared;
use crate::view;

/// The pause before a store that does not answer is asked again, and before a cluster that is not there is looked for.
const RETRY: Duration = Duration::from_millis(500);

/// The pause after a bug of our own: it may well be met again.
const RECOVERY: Duration = Duration::from_secs(2);

/// Looks until the dashboard is over. A panic is told to everybody, and looking begins anew after a pause.
pub(crate) async fn observe(shared: Arc<Shared>) {
    while let Err(panic) = AssertUnwindSafe(watch(&shared)).catch_unwind().await {
        let reason = format!("the dashboard failed while it looked: {}; report this", words(&*panic));
        error!(cluster = %shared.cluster, error = reason, "the dashboard looks again in a moment");
        shared.tell(|board, at_ms| board.broke(at_ms, reason));
        shared.clock.sleep(RECOVERY).await;
    }
}

async fn watch(shared: &Shared) {
    tokio::select! {
        () = shared.over.cancelled() => {}
        () = look_on(shared) => {}
        () = beat(shared) => {}
    }
}

/// What a panic said.
fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without words")
}

/// Never returns: finds the cluster, follows it until it can't be seen, and finds it again.
async fn look_on(shared: &Shared) {
    loop {
        match Cluster::find(Arc::clone(&shared.store), &shared.cluster).await {
            Ok(Some(cluster)) => {
                let error = follow(shared, cluster).await;
                shared.tell(|board, at_ms| board.away(at_ms, story(&error)));
            }
            Ok(None) => shared.tell(|board, at_ms| board.absent(at_ms, absent(shared))),
            Err(error) => shared.tell(|board, at_ms| board.away(at_ms, story(&error))),
        }
        shared.clock.sleep(RETRY).await;
    }
}

/// Looks again and again; returns why that is no longer possible.
async fn follow(shared: &Shared, mut cluster: Cluster) -> Error {
    let mut pace = Pace::new(&shared.clock);
    let mut extras_reader = ExtrasReader::default();
    let mut sight = cluster.look().await;
    loop {
        let mut survey = match sight {
            Ok(sight) => sight.survey,
            Err(error) => return error,
        };
        if let Err(error) = extras_reader.read(shared, &mut cluster).await {
            return error;
        }
        survey.problems.extend(extras_reader.strays.iter().cloned());
        let seen = Seen { meta: cluster.meta().clone(), survey: Arc::new(survey) };
        let extras = Extras { notes: extras_reader.notes.clone(), processes: shared.processes() };
        shared.tell(|board, at_ms| board.saw(at_ms, seen, extras));
        shared.looked.notify_one();
        pace.wait(&shared.clock).await;
        sight = tokio::select! {
            sight = cluster.look_again() => sight,
            () = shared.notes_changed.notified() => {
                extras_reader.changed();
                cluster.look().await
            }
        };
    }
}

impl Shared {
    fn processes(&self) -> BTreeMap<MemberId, view::Process> {
        self.setup.playground.as_ref().map(|playground| playground.processes()).unwrap_or_default()
    }

    /// What the work of a playground wrote down.
    pub(crate) fn measured(&self) -> Option<view::Measured> {
        self.setup.playground.as_ref().and_then(|playground| playground.measured())
    }

    fn outside(&self) -> Outside {
        let member = self.setup.member.as_ref();
        Outside {
            calls: Some(self.store.snapshot()),
            keepalive_failures: member.map(|member| member.metrics().lease_keepalive_failures),
        }
    }
}

/// At each step, tells how well it goes and that it goes on.
async fn beat(shared: &Shared) {
    loop {
        shared.clock.sleep(Duration::from_millis(STEP_MS)).await;
        let (outside, measured) = (shared.outside(), shared.measured());
        shared.tell(|board, at_ms| {
            board.count(at_ms, outside);
            let health = board.health(at_ms, at_ms.saturating_sub(2 * STEP_MS), measured);
            vec![StreamEvent::aside("health", &health), board.beat(at_ms)]
        });
    }
}

fn absent(shared: &Shared) -> String {
    format!("there is no cluster {} in this store; it appears here with its first member", shared.cluster)
}

/// An error with its causes.
pub(crate) fn story(error: &Error) -> String {
    let mut told = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(next) = cause {
        told.push_str(&format!(": {next}"));
        cause = next.source();
    }
    told
}
