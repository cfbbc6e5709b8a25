//! A listing shows whole records, under its prefix, in the order of keys.
//!
//! It may be old; but through the handle that wrote, with nothing else going on, the suite expects it to be complete.

use super::step::{create, keys, list};
use crate::store::Versioned;
use crate::testing::Subject;

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
