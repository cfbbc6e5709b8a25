//! Work that fails: restarted, visible, handed on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tenure::member::WorkState;
use tenure::store::Memory;
use tenure::{Epoch, Member, Settings, Shard};
use tokio::sync::mpsc;

use crate::fleet::{Acts, act, keep, owned_by, settings, start_with, working};

fn one_shard(id: &str) -> Settings {
    let mut settings = settings(id);
    settings.shards = 1;
    settings.restart_backoff = Duration::from_millis(20);
    settings
}

/// Runs `fail` for the first `times` handlers; later ones act. Tells the epoch of each handler that begins.
fn failing(
    member: &Arc<Member>,
    times: u32,
    fail: fn() -> Result<(), tenure::BoxError>,
) -> mpsc::UnboundedReceiver<Epoch> {
    let (begun, begins) = mpsc::unbounded_channel();
    let (runner, calls) = (Arc::clone(member), AtomicU32::new(0));
    let handler = move |shard: Shard| {
        let nth = calls.fetch_add(1, Ordering::Relaxed);
        begun.send(shard.epoch()).unwrap();
        async move {
            if nth < times {
                return fail();
            }
            shard.drained().await;
            Ok(())
        }
    };
    tokio::spawn(async move { runner.run(handler).await });
    begins
}

async fn is_restarted(fail: fn() -> Result<(), tenure::BoxError>, words: &str) {
    let member = start_with(Memory::new(), one_shard("a")).await;
    let mut begins = failing(&member, 2, fail);
    let epochs = [begins.recv().await, begins.recv().await, begins.recv().await];
    assert_eq!(epochs[0], epochs[2], "a restart is no new tenure");
    let snapshot = member.snapshot().await.unwrap();
    assert_eq!(snapshot.work[0].failures, 2, "{snapshot:?}");
    assert_eq!(snapshot.work[0].error.as_deref(), Some(words));
    assert_eq!(snapshot.work[0].state, WorkState::Acting);
    assert_eq!(member.metrics().work_restarts, 2);
}

#[tokio::test]
async fn work_that_panics_is_started_again_and_seen_in_the_snapshot() {
    is_restarted(|| panic!("boom"), "panicked: boom").await;
}

#[tokio::test]
async fn work_that_fails_is_started_again_with_every_cause_told() {
    let fail = || {
        let cause = std::io::Error::other("no space");
        Err(tenure::Error::new(tenure::ErrorKind::Unavailable, "can't open the journal")
            .because(cause)
            .into())
    };
    is_restarted(fail, "can't open the journal: no space").await;
}

#[tokio::test]
async fn work_that_could_not_warm_up_is_started_again() {
    let member = start_with(Memory::new(), one_shard("a")).await;
    let calls = AtomicU32::new(0);
    let warm = move |_| {
        let nth = calls.fetch_add(1, Ordering::Relaxed);
        async move { if nth == 0 { Err("no snapshot yet".into()) } else { Ok(nth) } }
    };
    let (begun, mut begins) = mpsc::unbounded_channel();
    let runner = Arc::clone(&member);
    let handler = move |shard: Shard, loaded: u32| {
        begun.send(loaded).unwrap();
        keep(shard)
    };
    tokio::spawn(async move { runner.run_warmed(warm, handler).await });
    assert_eq!(begins.recv().await, Some(1));
    let snapshot = member.snapshot().await.unwrap();
    assert_eq!(snapshot.work[0].error.as_deref(), Some("no snapshot yet"));
}

#[tokio::test]
async fn work_that_keeps_failing_here_is_handed_on() {
    let (store, acts) = (Memory::new(), Acts::default());
    let mut fragile = settings("a");
    fragile.restart_backoff = Duration::from_millis(5);
    fragile.restart_hand_on_after = 2;
    let fragile = start_with(store.clone(), fragile).await;
    let runner = Arc::clone(&fragile);
    tokio::spawn(async move { runner.run(|_shard| async { Err("not on this machine".into()) }).await });
    let able = working(&store, "b", &acts).await;
    assert!(able.router().until(|routes| owned_by(routes, able.id()) == 8).await);
    acts.assert_exclusive();
}

#[tokio::test]
async fn work_that_returns_is_finished_and_keeps_its_shard() {
    let member = start_with(Memory::new(), one_shard("a")).await;
    let (done, mut dones) = mpsc::unbounded_channel();
    let runner = Arc::clone(&member);
    tokio::spawn(async move {
        let handler = move |shard: Shard| {
            done.send(shard.epoch()).unwrap();
            async { Ok(()) }
        };
        runner.run(handler).await
    });
    dones.recv().await.unwrap();
    member.leave().await.unwrap();
    assert!(dones.recv().await.is_none(), "it is not started again");
}

#[tokio::test]
async fn only_one_thing_is_done_with_shards() {
    let member = start_with(Memory::new(), one_shard("a")).await;
    let _events = member.events().await.unwrap();
    let error = member.run(|shard| act(Acts::default(), shard)).await.unwrap_err();
    assert_eq!(error.kind(), tenure::ErrorKind::Invalid);
}
