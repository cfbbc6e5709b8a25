//! Looks at the cluster for all viewers together: once after a hint or a moment, as members do, and never more often than
//! its pace allows. It writes nothing.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tenure::clock::Clock;
use tenure::cluster::{Cluster, Note};
use tenure::{Error, ErrorKind, MemberId};
use tenure_core::moment::Moment;

use crate::board::{Frame, Lore, Outside, STEP_MS, Seen};
use crate::desk::Desk;
use crate::view;

/// The pause before a store that does not answer is asked again, and before a cluster that is not there is looked for.
const RETRY: Duration = Duration::from_secs(1);

/// The time from one reading of the notes to the next.
const NOTES_EVERY: Duration = Duration::from_secs(10);

/// In the long run, the least time between two looks.
const PACE: Duration = Duration::from_millis(100);

/// So many looks may follow one another without a pause: a move is over in a few.
const BURST: u32 = 20;

/// Looks until the dashboard is over.
pub(crate) async fn observe(desk: Arc<Desk>) {
    let over = desk.over.clone();
    tokio::select! {
        () = over.cancelled() => {}
        () = look_on(&desk) => {}
        () = beat(&desk) => {}
    }
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
            Err(error) if error.kind() == ErrorKind::Unavailable && desk.read(|board, _| board.is_new()) => {
                desk.tell(|board, at_ms| board.absent(at_ms, story(&error)));
            }
            Err(error) => desk.tell(|board, at_ms| board.away(at_ms, story(&error))),
        }
        desk.clock.sleep(RETRY).await;
    }
}

/// Looks again and again; returns why that is no longer possible.
async fn follow(desk: &Desk, mut cluster: Cluster) -> Error {
    let mut pace = Pace::new(&desk.clock);
    let mut notes = Notes::default();
    let mut sight = cluster.look().await;
    loop {
        let survey = match sight {
            Ok(sight) => Arc::new(sight.survey),
            Err(error) => return error,
        };
        if let Err(error) = notes.read(desk, &mut cluster).await {
            return error;
        }
        let seen = Seen { meta: cluster.meta().clone(), survey };
        let lore = Lore { notes: notes.known.clone(), processes: desk.processes() };
        desk.tell(|board, at_ms| board.saw(at_ms, seen, lore));
        pace.wait(&desk.clock).await;
        sight = tokio::select! {
            sight = cluster.look_again() => sight,
            () = desk.notes_changed.notified() => {
                notes.read_at = None;
                cluster.look().await
            }
        };
    }
}

/// The notes, read now and then: they change when somebody types.
#[derive(Debug, Default)]
struct Notes {
    known: BTreeMap<MemberId, view::Note>,
    read_at: Option<Moment>,
}

impl Notes {
    async fn read(&mut self, desk: &Desk, cluster: &mut Cluster) -> Result<(), Error> {
        let now = desk.clock.now();
        if self.read_at.is_some_and(|read_at| now.since(read_at) < NOTES_EVERY) {
            return Ok(());
        }
        self.read_at = Some(now);
        let told = |note: Note| view::Note { text: note.text, by: note.by, at_ms: note.at_ms };
        self.known = cluster.notes().await?.into_iter().map(|(id, note)| (id, told(note))).collect();
        Ok(())
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

/// Lets a few looks follow one another, and then one now and then.
#[derive(Debug)]
struct Pace {
    left: u32,
    since: Moment,
}

impl Pace {
    fn new(clock: &Clock) -> Self {
        Self { left: BURST, since: clock.now() }
    }

    async fn wait(&mut self, clock: &Clock) {
        let pause = self.next(clock.now());
        clock.sleep(pause).await;
    }

    /// How long to wait from `now` on.
    fn next(&mut self, now: Moment) -> Duration {
        let spared = now.since(self.since).as_nanos() / PACE.as_nanos();
        let spared = u32::try_from(spared).unwrap_or(u32::MAX);
        self.left = self.left.saturating_add(spared).min(BURST);
        if spared > 0 {
            self.since = now;
        }
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                Duration::ZERO
            }
            None => PACE.saturating_sub(now.since(self.since)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Moment {
        Moment::from_nanos(millis * 1_000_000)
    }

    #[test]
    fn a_burst_is_let_through_and_then_one_now_and_then() {
        let mut pace = Pace { left: BURST, since: at(0) };
        assert!((0..BURST).all(|_| pace.next(at(1)).is_zero()));
        assert_eq!(pace.next(at(1)), Duration::from_millis(99));
        assert_eq!(pace.next(at(100)), Duration::ZERO);
        assert_eq!(pace.next(at(101)), Duration::from_millis(99));
    }

    #[test]
    fn after_a_rest_there_is_a_burst_again() {
        let mut pace = Pace { left: 0, since: at(0) };
        assert!((0..BURST).all(|_| pace.next(at(60_000)).is_zero()));
        assert!(!pace.next(at(60_000)).is_zero());
    }
}
