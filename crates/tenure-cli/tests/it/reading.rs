//! Looking needs no right to write, writes nothing, and creates nothing.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;

use crate::testbed::{Did, Testbed};

/// Somebody who owns nothing here.
const STRANGER: u32 = 65_534;

/// The verbs that only look.
const LOOKS: [&[&str]; 5] =
    [&["status", "--json"], &["watch", "--for", "200ms"], &["plan"], &["acts"], &["store", "check"]];

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Lets everybody read what is in the folder, and nobody write; whoever owns the files may, where that can't be helped.
fn shut(folder: &Path) {
    for name in names(folder) {
        let path = folder.join(name);
        let mode = if path.is_dir() { 0o700 } else { 0o444 };
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }
    fs::set_permissions(folder, Permissions::from_mode(0o555)).unwrap();
}

/// Runs the program as somebody who may only read. Root may always write: it looks as a stranger.
async fn as_reader(bed: &Testbed, words: &[&str]) -> Did {
    let mut program = bed.program(words);
    if rustix::process::geteuid().is_root() {
        program.uid(STRANGER).gid(STRANGER);
    }
    tokio::task::spawn_blocking(move || program.output().unwrap().into()).await.unwrap()
}

/// Lets a member come and go, and waits until the file is closed.
async fn ended(bed: &Testbed) {
    for member in bed.members(&["a"]).await {
        member.leave().await.unwrap();
    }
    while bed.path("tenure.db-wal").exists() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_that_runs_is_looked_at_without_the_right_to_write() {
    let bed = Testbed::new();
    let _members = bed.members(&["a", "b"]).await;
    shut(&bed.path("."));
    let before = names(&bed.path("."));
    for words in LOOKS {
        as_reader(&bed, words).await.well();
    }
    assert!(as_reader(&bed, &["status"]).await.well().contains("8 shards, all owned"));
    assert_eq!(names(&bed.path(".")), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_that_has_ended_is_looked_at_without_a_trace() {
    let bed = Testbed::new();
    ended(&bed).await;
    shut(&bed.path("."));
    let before = names(&bed.path("."));
    for words in LOOKS {
        as_reader(&bed, words).await.well();
    }
    assert!(as_reader(&bed, &["status"]).await.well().contains("unowned  0-7: a left"));
    assert_eq!(names(&bed.path(".")), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_may_write_leaves_nothing_by_looking_either() {
    let bed = Testbed::new();
    ended(&bed).await;
    let stamps = || -> Vec<_> {
        let all = names(&bed.path("."));
        all.into_iter()
            .map(|name| (name.clone(), fs::metadata(bed.path(&name)).unwrap().modified().unwrap()))
            .collect()
    };
    let before = stamps();
    for words in &LOOKS[..4] {
        bed.tenure(words).await.well();
    }
    assert_eq!(stamps(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_mistyped_is_not_created_by_any_verb_that_looks() {
    let bed = Testbed::new();
    let others: [&[&str]; 1] = [&["dashboard", "--listen", "127.0.0.1:0"]];
    for words in LOOKS.iter().chain(&others) {
        let told = bed.tenure(words).await.failed(3);
        assert!(told.contains("there is no such file; name one that is there"), "{words:?}: {told}");
    }
    assert_eq!(names(&bed.path(".")), BTreeSet::new());
    let told = bed.tenure(&["store", "check"]).await.failed(3);
    assert!(told.contains("to try a store that nobody uses yet, say --create"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_may_only_read_is_told_that_promises_were_not_tried() {
    let bed = Testbed::new();
    let _members = bed.members(&["a"]).await;
    shut(&bed.path("."));
    let told = as_reader(&bed, &["store", "check"]).await.well();
    assert!(told.contains("its promises were not tried: this user may only read it"), "{told}");
    assert!(told.contains("every record can be used"), "{told}");
    let json: serde_json::Value =
        serde_json::from_str(&as_reader(&bed, &["store", "check", "--json"]).await.well()).unwrap();
    assert_eq!(
        (&json["usable"], &json["records"]["broken"]),
        (&serde_json::Value::Null, &serde_json::json!([]))
    );
}
