//! A listing shows whole records, under its prefix, in the order of keys.
//!
//! It may be old; but through the handle that wrote, with nothing else going on, the suite expects it to be complete.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::join;
use futures_util::{StreamExt, stream};

use super::step::{create, delete, keys, list};
use crate::store::{Removed, SharedStore, Versioned};
use crate::testing::Subject;

/// More than any server shows at once: object storage stops after 1,000.
const MANY: usize = 1_100;

/// How many records are written at once.
const AT_ONCE: usize = 16;

/// How many keys there are while some come and go, and how often they are listed.
const CROWD: usize = 120;
const LISTINGS: usize = 20;

/// Keys come in the order of their bytes.
pub async fn a_list_is_in_the_order_of_keys(subject: &Subject) {
    let mixed = ["p/b", "p/B", "p/10", "p/2", "p/a-b", "p/a.b", "p/a_b", "p/a"];
    for key in mixed {
        create(subject.store(), key, b"").await;
    }
    let mut ordered = mixed.map(str::to_owned).to_vec();
    ordered.sort();
    assert_eq!(keys(subject.store(), "p/").await, ordered);
}

/// Keys elsewhere are not shown, however alike they look.
pub async fn a_list_shows_its_prefix_alone(subject: &Subject) {
    for key in ["members/a", "members/b", "members.old/a", "member", "membersx/a", "ledger/00000"] {
        create(subject.store(), key, b"").await;
    }
    assert_eq!(keys(subject.store(), "members/").await, ["members/a", "members/b"]);
    assert_eq!(keys(subject.store(), "").await.len(), 6);
}

/// Each record comes with its version and its whole content.
pub async fn a_list_brings_whole_records(subject: &Subject) {
    let large = vec![b'x'; 10_000];
    let small_version = create(subject.store(), "p/1", b"small").await;
    let large_version = create(subject.store(), "p/2", &large).await;
    let records = list(subject.store(), "p/").await;
    let small = Versioned { version: small_version, value: b"small"[..].into() };
    let large = Versioned { version: large_version, value: large.into() };
    assert_eq!(records, [("p/1".into(), small), ("p/2".into(), large)]);
}

/// A prefix without records is no error.
pub async fn a_list_of_nothing_is_empty(subject: &Subject) {
    create(subject.store(), "p/1", b"").await;
    assert_eq!(keys(subject.store(), "q/").await, Vec::<String>::new());
}

/// However many there are, all are shown, through both handles.
pub async fn a_list_of_many_is_whole(subject: &Subject) {
    let all = fill(subject.store(), (0..MANY).map(|number| format!("p/{number:04}"))).await;
    for store in [subject.store(), subject.other()] {
        let shown = list(store, "p/").await;
        assert_eq!(shown.len(), MANY, "of {MANY} keys the list shows these many");
        assert!(shown.into_iter().eq(all.clone()), "the list of {MANY} keys shows others than were written");
    }
}

/// Creates these keys, each with its name as content.
async fn fill(store: &SharedStore, keys: impl Iterator<Item = String>) -> BTreeMap<String, Versioned> {
    let creations = keys.map(|key| async move {
        let version = create(store, &key, key.as_bytes()).await;
        (key.clone(), Versioned { version, value: key.into() })
    });
    stream::iter(creations).buffer_unordered(AT_ONCE).collect().await
}

/// While others come and go, a key that stays is in every list, once, in its place, as it was written.
pub async fn a_list_misses_no_key_that_stays(subject: &Subject) {
    let stay = fill(subject.store(), (0..CROWD).step_by(2).map(crowd_key)).await;
    let is_over = AtomicBool::new(false);
    let lists = async {
        for _ in 0..LISTINGS {
            assert_shown(&stay, list(subject.store(), "p/").await);
            tokio::task::yield_now().await;
        }
        is_over.store(true, Ordering::Relaxed);
    };
    // In one task, step by step in turn: a store that answers at once would else be listed before anybody has come.
    join(lists, come_and_go(subject.other(), &is_over)).await;
}

fn assert_shown(stay: &BTreeMap<String, Versioned>, shown: Vec<(String, Versioned)>) {
    let is_ordered = shown.is_sorted_by(|(one, _), (next, _)| one < next);
    assert!(is_ordered, "a list is out of order, or shows a key twice");
    let shown: BTreeMap<_, _> = shown.into_iter().collect();
    for (key, record) in stay {
        assert_eq!(shown.get(key), Some(record), "{key} is there all the time, and a list shows this");
    }
}

fn crowd_key(number: usize) -> String {
    format!("p/{number:03}")
}

/// Every other key is created and, where the store can, removed again, until it is over.
async fn come_and_go(store: &SharedStore, is_over: &AtomicBool) {
    while !is_over.load(Ordering::Relaxed) {
        let mut came = Vec::new();
        for number in (1..CROWD).step_by(2) {
            let key = crowd_key(number);
            let version = create(store, &key, b"passing").await;
            came.push((key, version));
            tokio::task::yield_now().await;
        }
        for (key, version) in came {
            if delete(store, &key, &version).await == Removed::Unsupported {
                return;
            }
            tokio::task::yield_now().await;
        }
    }
}
