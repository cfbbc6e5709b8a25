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

use super::margin::Margin;
use super::pace::Pace;
use crate::board::{Frame, Lore, Outside, STEP_MS, Seen};
use crate::desk::Desk;
use crate::view;

/// The pause before a store that does not answer is asked again, and before a cluster that is not there is looked for.
const RETRY: Duration = Duration::from_millis(500);

/// The pause after a bug of our own: it may well be met again.
const RECOVERY: Duration = Duration::from_secs(2);

/// Looks until the dashboard is over. A panic is told to everybody, and looking begins anew after a pause.
pub(crate) async fn observe(desk: Arc<Desk>) {
    while let Err(panic) = AssertUnwindSafe(watch(&desk)).catch_unwind().await {
        let reason = format!("the dashboard failed while it looked: {}; report this", words(&*panic));
        error!(cluster = %desk.cluster, error = reason, "the dashboard looks again in a moment");
        desk.tell(|board, at_ms| board.broke(at_ms, reason));
        desk.clock.sleep(RECOVERY).await;
    }
}

async fn watch(desk: &Desk) {
    tokio::select! {
        () = desk.over.cancelled() => {}
        () = look_on(desk) => {}
        () = beat(desk) => {}
    }
}

/// What a panic said.
fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without words")
}

/// Never returns: finds the cluster, follows it until it can't be seen, and finds it again.
async fn look_on(desk: &Desk) {
    loop {
        match Cluster::find(Arc::clone(&desk.store), &desk.cluster).await {
            Ok(Some(cluster)) => {
                let error = follow(desk, cluster).await;
                desk.tell(|board, at_ms| board.away(at_ms, story(&error)));
            }
            Ok(None) => desk.tell(|board, at_ms| board.absent(at_ms, absent(desk))),
            Err(error) => desk.tell(|board, at_ms| board.away(at_ms, story(&error))),
        }
        desk.clock.sleep(RETRY).await;
    }
}

/// Looks again and again; returns why that is no longer possible.
async fn follow(desk: &Desk, mut cluster: Cluster) -> Error {
    let mut pace = Pace::new(&desk.clock);
    let mut margin = Margin::default();
    let mut sight = cluster.look().await;
    loop {
        let mut survey = match sight {
            Ok(sight) => sight.survey,
            Err(error) => return error,
        };
        if let Err(error) = margin.read(desk, &mut cluster).await {
            return error;
        }
        survey.problems.extend(margin.strays.iter().cloned());
        let seen = Seen { meta: cluster.meta().clone(), survey: Arc::new(survey) };
        let lore = Lore { notes: margin.notes.clone(), processes: desk.processes() };
        desk.tell(|board, at_ms| board.saw(at_ms, seen, lore));
        desk.looked.notify_one();
        pace.wait(&desk.clock).await;
        sight = tokio::select! {
            sight = cluster.look_again() => sight,
            () = desk.notes_changed.notified() => {
                margin.changed();
                cluster.look().await
            }
        };
    }
}

impl Desk {
    fn processes(&self) -> BTreeMap<MemberId, view::Process> {
        self.house.playground.as_ref().map(|playground| playground.processes()).unwrap_or_default()
    }

    /// What the work of a playground wrote down.
    pub(crate) fn measured(&self) -> Option<view::Measured> {
        self.house.playground.as_ref().and_then(|playground| playground.measured())
    }

    fn outside(&self) -> Outside {
        let member = self.house.member.as_ref();
        Outside {
            calls: Some(self.store.snapshot()),
            keepalive_failures: member.map(|member| member.metrics().lease_keepalive_failures),
        }
    }
}

/// At each step, tells how well it goes and that it goes on.
async fn beat(desk: &Desk) {
    loop {
        desk.clock.sleep(Duration::from_millis(STEP_MS)).await;
        let (outside, measured) = (desk.outside(), desk.measured());
        desk.tell(|board, at_ms| {
            board.count(at_ms, outside);
            let health = board.health(at_ms, at_ms.saturating_sub(2 * STEP_MS), measured);
            vec![Frame::aside("health", &health), board.beat(at_ms)]
        });
    }
}

fn absent(desk: &Desk) -> String {
    format!("there is no cluster {} in this store; it appears here with its first member", desk.cluster)
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
