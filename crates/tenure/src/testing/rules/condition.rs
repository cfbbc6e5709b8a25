//! A write lands if its precondition holds, and only then.

use super::step::{create, found, put, replace};
use crate::store::{Read, Version, When, Written};
use crate::testing::Subject;

/// Create-if-absent refuses a key that exists.
pub async fn a_create_refuses_a_key_that_exists(subject: &Subject) {
    create(subject.store(), "a", b"first").await;
    assert_eq!(put(subject.store(), "a", b"second", &When::Absent).await, Written::Conflict);
    assert_eq!(put(subject.other(), "a", b"second", &When::Absent).await, Written::Conflict);
}

/// Replace-if-version lands on the very version, and gives a new one.
pub async fn a_replace_needs_the_very_version(subject: &Subject) {
    let first = create(subject.store(), "a", b"first").await;
    let second = replace(subject.other(), "a", b"second", &first).await;
    assert_ne!(first, second);
    let record = found(subject.store(), "a").await;
    assert_eq!((record.version, &record.value[..]), (second, &b"second"[..]));
}

/// Replace-if-version refuses a version that was replaced.
pub async fn a_stale_version_is_refused(subject: &Subject) {
    let first = create(subject.store(), "a", b"first").await;
    replace(subject.store(), "a", b"second", &first).await;
    assert_eq!(put(subject.store(), "a", b"third", &When::Is(first)).await, Written::Conflict);
}

/// Replace-if-version refuses a key that does not exist, whatever the version.
pub async fn a_version_of_nothing_is_refused(subject: &Subject) {
    let elsewhere = create(subject.store(), "a", b"here").await;
    assert_eq!(put(subject.store(), "b", b"there", &When::Is(elsewhere)).await, Written::Conflict);
    assert_eq!(super::step::read(subject.store(), "b", None).await, Read::Absent);
}

/// A write that was refused leaves content and version as they were.
pub async fn a_refused_write_changes_nothing(subject: &Subject) {
    let first = create(subject.store(), "a", b"first").await;
    let second: Version = replace(subject.store(), "a", b"second", &first).await;
    put(subject.store(), "a", b"third", &When::Is(first)).await;
    put(subject.store(), "a", b"fourth", &When::Absent).await;
    let record = found(subject.store(), "a").await;
    assert_eq!((record.version, &record.value[..]), (second, &b"second"[..]));
}
