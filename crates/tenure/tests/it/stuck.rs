//! Work that outlives its lease ends the process: shown with child processes, which are this test binary again.

use std::process::{Command, Output};
use std::time::Duration;

use tenure::store::Memory;
use tenure::store::layer::Faulty;
use tenure::store::layer::faulty::Outage;
use tenure::{Member, OnStuck};

use crate::fleet::settings;

const ENV: &str = "TENURE_STUCK_CHILD";

/// Runs the test `name` of this module again, in a process of its own that is to end badly.
fn child(name: &str) -> Output {
    let this = std::env::current_exe().unwrap();
    let test = format!("stuck::{name}");
    Command::new(this).args(["--exact", &test, "--nocapture"]).env(ENV, "1").output().unwrap()
}

fn assert_aborted(output: &Output) {
    use std::os::unix::process::ExitStatusExt;
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("tenure: the") && said.contains("work of") && said.contains("on_stuck"), "{said}");
    assert_eq!(output.status.signal(), Some(6), "{said}");
}

#[tokio::test(flavor = "current_thread")]
async fn a_runtime_blocked_by_work_that_outlives_its_lease_is_aborted() {
    if is_child() {
        return block_the_runtime().await;
    }
    assert_aborted(&child("a_runtime_blocked_by_work_that_outlives_its_lease_is_aborted"));
}

#[tokio::test(flavor = "current_thread")]
async fn work_that_blocks_its_runtime_for_longer_than_the_lease_keeps_it() {
    let mut settings = settings("a");
    settings.shards = 1;
    let blocked = settings.lease_ttl * 2;
    let member = Member::builder(Memory::new()).settings(settings).start().await.unwrap();
    let (held, mut checks) = tokio::sync::mpsc::unbounded_channel();
    let work = member.run(move |shard| {
        std::thread::sleep(blocked);
        held.send(shard.holds()).unwrap();
        async { Ok(()) }
    });
    tokio::select! {
        _ = work => panic!("the member ended"),
        held = checks.recv() => assert_eq!(held, Some(true)),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn work_that_ignores_the_end_of_its_lease_is_aborted() {
    if is_child() {
        return ignore_the_end().await;
    }
    assert_aborted(&child("work_that_ignores_the_end_of_its_lease_is_aborted"));
}

fn is_child() -> bool {
    std::env::var_os(ENV).is_some()
}

/// A handler that never yields, on the only thread of its runtime, while the store is away.
async fn block_the_runtime() {
    let mut settings = settings("a");
    settings.on_stuck = OnStuck::Abort;
    let outage = Outage::new();
    let store = Faulty::new(Memory::new(), 1).judged_by(outage.clone());
    let member = Member::builder(store).settings(settings).start().await.unwrap();
    let blocking = move |_shard| {
        outage.begin();
        async { block_for_ever() }
    };
    let _ = member.run(blocking).await;
}

/// A handler whose thread goes on after the lease has lapsed; the runtime itself is well.
async fn ignore_the_end() {
    let mut settings = settings("a");
    (settings.on_stuck, settings.shards) = (OnStuck::Abort, 1);
    let outage = Outage::new();
    let store = Faulty::new(Memory::new(), 1).judged_by(outage.clone());
    let member = Member::builder(store).settings(settings).start().await.unwrap();
    let _ = member
        .run(move |shard| {
            outage.begin();
            async move {
                let work = move || {
                    let _kept = shard;
                    block_for_ever()
                };
                tokio::task::spawn_blocking(work).await?
            }
        })
        .await;
}

fn block_for_ever() -> Result<(), tenure::BoxError> {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}
