//! A death is told for as long as the record denies it.

use std::collections::BTreeSet;
use std::sync::Mutex;

use async_trait::async_trait;
use tenure_core::ids::Line;
use tenure_core::record::{FORMAT, MemberState};
use tokio::sync::{mpsc, watch};

use super::*;
use crate::store::{Registration, StoreError};

/// Knows who died, and who is asked about.
#[derive(Debug)]
struct Oracle {
    dead: watch::Sender<BTreeSet<Process>>,
    asked: Arc<Mutex<BTreeSet<Process>>>,
}

impl Oracle {
    fn new() -> Arc<Self> {
        Arc::new(Self { dead: watch::Sender::default(), asked: Arc::default() })
    }

    fn kill(&self, process: u128) {
        self.dead.send_if_modified(|dead| dead.insert(Process(process)));
    }
}

#[async_trait]
impl Witness for Oracle {
    async fn register(&self, _process: Process) -> Result<Box<dyn Registration>, StoreError> {
        unreachable!("nobody registers here")
    }

    async fn death_of(&self, process: Process) {
        let _asking = Asking::about(process, &self.asked);
        let _ = self.dead.subscribe().wait_for(|dead| dead.contains(&process)).await;
    }
}

struct Asking(Process, Arc<Mutex<BTreeSet<Process>>>);

impl Asking {
    fn about(process: Process, asked: &Arc<Mutex<BTreeSet<Process>>>) -> Self {
        assert!(asked.lock().unwrap().insert(process), "asked twice");
        Self(process, Arc::clone(asked))
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.1.lock().unwrap().remove(&self.0);
    }
}

fn record(name: &str, process: u128, state: MemberState) -> (MemberId, Versioned) {
    let (line, process_hex) = (Line(1), Process(process));
    let record = serde_json::json!({
        "v": FORMAT, "line": line, "term": 1, "process": process_hex, "seq": 1, "state": state, "ttl_ms": 1000, "weight": 1,
    });
    let version = Version::new(format!("{process}/{state:?}"));
    (name.parse().unwrap(), Versioned { version, value: record.to_string().into() })
}

fn watching(oracle: &Arc<Oracle>) -> (Deaths, mpsc::UnboundedReceiver<Input>) {
    let (inbox, receiver) = mpsc::unbounded_channel();
    (Deaths::new(Some(Arc::clone(oracle) as _), Process(9), inbox), receiver)
}

async fn settle_until(oracle: &Oracle, processes: &[u128]) {
    let wanted: BTreeSet<Process> = processes.iter().copied().map(Process).collect();
    while *oracle.asked.lock().unwrap() != wanted {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_proven_death_is_told() {
    let oracle = Oracle::new();
    let (mut deaths, mut inbox) = watching(&oracle);
    deaths.watch(&[record("a", 1, MemberState::Active), record("b", 2, MemberState::Leaving)]);
    oracle.kill(2);
    assert!(matches!(inbox.recv().await, Some(Input::Died(Process(2)))));
}

#[tokio::test]
async fn only_living_records_of_others_are_watched_and_each_once() {
    let oracle = Oracle::new();
    let (mut deaths, _inbox) = watching(&oracle);
    let mut members = vec![
        record("a", 1, MemberState::Active),
        record("b", 2, MemberState::Gone),
        record("c", 3, MemberState::Deposed),
        record("me", 9, MemberState::Active),
    ];
    let odd = Versioned { version: Version::new("odd"), value: bytes::Bytes::from_static(b"?") };
    members.push(("odd".parse().unwrap(), odd));
    deaths.watch(&members);
    deaths.watch(&members);
    settle_until(&oracle, &[1]).await;
}

#[tokio::test]
async fn a_process_without_a_living_record_is_watched_no_more() {
    let oracle = Oracle::new();
    let (mut deaths, _inbox) = watching(&oracle);
    deaths.watch(&[record("a", 1, MemberState::Active), record("b", 2, MemberState::Active)]);
    settle_until(&oracle, &[1, 2]).await;
    deaths.watch(&[record("a", 1, MemberState::Gone), record("b", 2, MemberState::Active)]);
    settle_until(&oracle, &[2]).await;
}

#[tokio::test]
async fn a_death_is_told_again_while_its_record_stays() {
    let oracle = Oracle::new();
    let (mut deaths, mut inbox) = watching(&oracle);
    oracle.kill(1);
    for _ in 0..2 {
        deaths.watch(&[record("a", 1, MemberState::Active)]);
        assert!(matches!(inbox.recv().await, Some(Input::Died(Process(1)))));
        while deaths.watched.values().any(|task| !task.is_finished()) {
            tokio::task::yield_now().await;
        }
    }
}
