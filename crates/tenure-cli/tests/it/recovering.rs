//! `tenure store recover`: what it says, what it refuses, and what members make of it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tenure::member::LifeState;
use tenure::store::{Entry, Store};
use tenure_stores::sqlite::SqliteStore;

use crate::testbed::{Did, Testbed, held};

const WIDE: u64 = 1 << 32;

async fn records(bed: &Testbed) -> Vec<Entry> {
    let store = SqliteStore::open(bed.path("tenure.db")).await.unwrap();
    store.list("").await.unwrap()
}

/// A cluster whose member has left.
async fn left(bed: &Testbed) {
    let members = bed.members(&["a"]).await;
    members[0].leave().await.unwrap();
}

fn epochs(status: &Value) -> Vec<u64> {
    status["holdings"].as_array().unwrap().iter().map(|one| one["epoch"].as_u64().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_says_what_would_be_done_and_changes_nothing() {
    let bed = Testbed::new();
    left(&bed).await;
    let before = records(&bed).await;
    let did = bed.tenure(&["store", "recover", "--plan", "--json"]).await;
    assert!(
        did.err.starts_with("cluster default gets a new lineage. The epochs of its 8 shards,"),
        "{did:?}"
    );
    let plan: Value = serde_json::from_str(&did.well()).unwrap();
    let expected = json!({
        "cluster": "default", "shards": 8, "top": 1, "raised_by": WIDE, "members": ["a"], "alive": [],
        "resumed": false, "wait_ms": plan["wait_ms"], "done": false
    });
    assert_eq!(plan, expected);
    assert!(plan["wait_ms"].as_u64() > Some(8000), "longer than the longest lease: {plan}");
    assert_eq!(records(&bed).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_done_without_the_clusters_name_or_while_members_live() {
    let bed = Testbed::new();
    let members = bed.members(&["a"]).await;
    let alive = bed.tenure(&["store", "recover", "--yes", "default"]).await.failed(5);
    assert!(alive.contains("members seem to live: a; stop them first."), "{alive}");
    members[0].leave().await.unwrap();
    let before = records(&bed).await;
    let silent = bed.tenure(&["store", "recover"]).await.failed(2);
    assert!(silent.contains("nobody is there to confirm; say --yes default, or --plan"), "{silent}");
    let wrong = bed.tenure(&["store", "recover", "--yes", "other"]).await.failed(2);
    assert!(
        wrong.contains("--yes says \"other\", and this is the cluster default; nothing was done"),
        "{wrong}"
    );
    bed.tenure(&["store", "recover", "--cluster", "other", "--yes", "other"]).await.failed(4);
    assert_eq!(records(&bed).await, before);
}

/// Types into the program as one would in a terminal.
fn typed(bed: &Testbed, words: &str, answers: &str) -> Did {
    let mut script = Command::new("script");
    let line = format!("{} {words}", env!("CARGO_BIN_EXE_tenure"));
    script.current_dir(bed.path("")).args(["-qec", &line, "/dev/null"]);
    let mut child = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(answers.as_bytes()).unwrap();
    child.wait_with_output().unwrap().into()
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_terminal_it_asks_twice() {
    let bed = Testbed::new();
    left(&bed).await;
    let before = records(&bed).await;
    for answers in ["n\n", "y\nno\n", "y\ny\n", "y\ndefaul\n"] {
        let did = typed(&bed, "store recover", answers);
        assert_eq!(did.code, 5, "{answers:?}: {did:?}");
        assert!(
            did.out.contains("Recover cluster default? [y/N]") && did.out.contains("nothing was done"),
            "{did:?}"
        );
    }
    assert_eq!(records(&bed).await, before);
    let did = typed(&bed, "store recover --why 'the disk died'", "y\ndefault\n");
    assert_eq!(did.code, 0, "{did:?}");
    assert!(
        did.out.contains("type the cluster's name:") && did.out.contains("done: members come back"),
        "{did:?}"
    );
    let acts: Value = serde_json::from_str(bed.tenure(&["acts", "--json"]).await.well().trim()).unwrap();
    assert_eq!((&acts["what"], &acts["why"]), (&json!("store recover"), &json!("the disk died")));
    assert_eq!((&acts["came"], &acts["by"]), (&json!("done"), &json!("command line")));
}

#[tokio::test(flavor = "multi_thread")]
async fn members_that_live_through_it_come_back_by_themselves_with_higher_epochs() {
    let bed = Testbed::new();
    let members = bed.members(&["a", "b"]).await;
    let did = bed.tenure(&["store", "recover", "--yes", "default", "--force"]).await;
    assert_eq!(did.code, 0, "{did:?}");
    assert!(did.err.contains("2 leases taken away; waiting 8."), "{did:?}");
    let status = bed.until(|status| held(status, "a") == 4 && held(status, "b") == 4).await;
    assert!(epochs(&status).iter().all(|epoch| *epoch > WIDE), "{status}");
    assert_eq!(status["problems"], json!([]));
    for member in &members {
        assert_eq!(member.snapshot().await.unwrap().me.state, LifeState::Active);
    }
    assert!(bed.tenure(&["store", "check"]).await.well().contains("every record can be used"));
    let again: Value =
        serde_json::from_str(&bed.tenure(&["store", "recover", "--plan", "--json"]).await.well()).unwrap();
    assert!(again["top"].as_u64() > Some(WIDE), "{again}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_was_stopped_in_between_keeps_everybody_out_until_it_goes_on() {
    let bed = Testbed::new();
    left(&bed).await;
    let mut program = bed.program(&["store", "recover", "--yes", "default"]);
    let mut first = program.stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(first.stderr.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line.contains("; waiting ")));
    first.kill().unwrap();
    first.wait().unwrap();

    let told = bed.tenure(&["status"]).await.failed(3);
    assert!(told.contains("cluster default is being founded or recovered"), "{told}");
    let waiting = tokio::spawn({
        let folder = bed.path("tenure.db");
        async move {
            let store = SqliteStore::open(folder).await.unwrap();
            let builder = tenure::Member::builder(store).cluster("default").shards(8).member_id("b");
            builder.lease_ttl(std::time::Duration::from_secs(2)).start().await.unwrap()
        }
    });
    let plan: Value =
        serde_json::from_str(&bed.tenure(&["store", "recover", "--plan", "--json"]).await.well()).unwrap();
    assert_eq!((&plan["resumed"], plan["top"].as_u64()), (&json!(true), Some(WIDE + 1)));
    assert!(!waiting.is_finished(), "nobody joins meanwhile");

    let did = bed.tenure(&["store", "recover", "--yes", "default"]).await;
    assert_eq!(did.code, 0, "{did:?}");
    let came = waiting.await.unwrap();
    let events = came.events().await.unwrap();
    assert!(came.router().until(|routes| routes.iter().all(|one| one.owner.is_some())).await);
    assert!(came.router().routes().iter().all(|one| one.epoch.0 == WIDE + 2), "raised once");
    drop(events);
    assert_eq!(bed.tenure(&["acts", "--json"]).await.well().lines().count(), 2);
}
