//! Looks at the cluster for all viewers together: once after a hint or a moment, as members do, and never more often than
//! its pace allows. It writes nothing.

use std::sync::Arc;
use std::time::Duration;

use tenure::clock::Clock;
use tenure::cluster::Cluster;
use tenure::{Error, ErrorKind};
use tenure_core::moment::Moment;

use crate::board::{Frame, Lore, Outside, STEP_MS, Seen};
use crate::desk::Desk;

/// The pause before a store that does not answer is asked again, and before a cluster that is not there is looked for.
const RETRY: Duration = Duration::from_secs(1);

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
    let mut sight = cluster.look().await;
    loop {
        match sight {
            Ok(sight) => {
                let seen = Seen { meta: cluster.meta().clone(), survey: Arc::new(sight.survey) };
                desk.tell(|board, at_ms| board.saw(at_ms, seen, Lore::default()));
            }
            Err(error) => return error,
        }
        pace.wait(&desk.clock).await;
        sight = cluster.look_again().await;
    }
}

/// At each step, tells how well it goes and that it goes on.
async fn beat(desk: &Desk) {
    loop {
        desk.clock.sleep(Duration::from_millis(STEP_MS)).await;
        let outside = Outside { calls: Some(desk.store.snapshot()), keepalive_failures: None };
        desk.tell(|board, at_ms| {
            board.count(at_ms, outside);
            let health = board.health(at_ms, at_ms.saturating_sub(2 * STEP_MS), None);
            vec![Frame::aside("health", &health), board.beat(at_ms)]
        });
    }
}

fn absent(desk: &Desk) -> String {
    format!("there is no cluster {} in this store; it appears here with its first member", desk.cluster)
}

/// An error with its causes.
fn story(error: &Error) -> String {
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
