//! Hints arrive, and callers may go.

use bytes::Bytes;
use futures_util::{FutureExt, StreamExt};

use super::step::{create, put, read, replace};
use crate::clock::Clock;
use crate::store::{Read, When, Written};
use crate::testing::Subject;

/// How many changes a long watch is told of.
const CHANGES: usize = 100;

/// A watch of a prefix tells that something changed there through another handle.
pub async fn a_hint_follows_a_change_through_another_handle(subject: &Subject) {
    if !subject.has_hints() {
        eprintln!("skipped: a {} store gives no hints", subject.store().kind());
        return;
    }
    let mut hints = subject.store().watch("members/");
    let version = create(subject.other(), "members/a", b"first").await;
    for change in ["create", "replace"] {
        let told = Clock::boot().timeout(subject.patience(), hints.next()).await;
        let hint = told.unwrap_or_else(|_| panic!("no hint of a {change}")).expect("hints do not end");
        assert!(hint.key.is_none_or(|key| key == "members/a"));
        if change == "create" {
            // Hints of one change may be doubled: only one that comes after this moment counts for the next.
            while hints.next().now_or_never().is_some() {}
            replace(subject.other(), "members/a", b"second", &version).await;
        }
    }
}

/// Hints do not cease: one follows each of many changes, for as long as one watches.
pub async fn hints_go_on_for_as_long_as_one_watches(subject: &Subject) {
    if !subject.has_hints() {
        eprintln!("skipped: a {} store gives no hints", subject.store().kind());
        return;
    }
    let mut hints = subject.store().watch("members/");
    let mut version = create(subject.other(), "members/a", b"0").await;
    for number in 1..=CHANGES {
        while hints.next().now_or_never().is_some() {}
        version = replace(subject.other(), "members/a", number.to_string().as_bytes(), &version).await;
        let told = Clock::boot().timeout(subject.patience(), hints.next()).await;
        let hint = told.unwrap_or_else(|_| panic!("no hint of change {number} of {CHANGES}"));
        assert!(hint.expect("hints do not end").key.is_none_or(|key| key == "members/a"));
    }
}

/// A call that its caller drops either takes effect whole or not at all, and the store answers on.
pub async fn a_dropped_call_leaves_the_store_usable(subject: &Subject) {
    for number in 0..16 {
        let key = format!("a/{number}");
        let value = Bytes::from_static(b"dropped");
        // Polled once, so that it has begun; then dropped.
        let _ = subject.store().put(&key, value, When::Absent).now_or_never();
        let when = match read(subject.store(), &key, None).await {
            Read::Found(record) => {
                assert_eq!(record.value, "dropped");
                When::Is(record.version)
            }
            Read::Absent => When::Absent,
            Read::Unchanged => panic!("Unchanged, though no version was named"),
        };
        if put(subject.store(), &key, b"after", &when).await == Written::Conflict {
            // The dropped call landed in between, as it may; now nothing is under way.
            assert_eq!(when, When::Absent);
        }
    }
}
