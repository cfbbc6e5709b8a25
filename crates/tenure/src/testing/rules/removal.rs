//! A removal is conditional too, and no version outlives it.

use super::step::{could_delete, create, delete, found, put, read, replace};
use crate::store::{Read, Removed, When, Written};
use crate::testing::Subject;

/// Delete-if-version refuses any version but the present one.
pub async fn a_removal_needs_the_very_version(subject: &Subject) {
    let first = create(subject.store(), "a", b"first").await;
    let second = replace(subject.store(), "a", b"second", &first).await;
    assert_ne!(delete(subject.store(), "a", &first).await, Removed::Deleted);
    assert_eq!(found(subject.store(), "a").await.version, second);
    if could_delete(subject.other(), "a", &second).await {
        assert_eq!(read(subject.store(), "a", None).await, Read::Absent);
        assert_eq!(delete(subject.store(), "a", &second).await, Removed::Conflict);
    }
}

/// After a removal the key is free.
pub async fn a_removed_key_can_be_created_again(subject: &Subject) {
    let first = create(subject.store(), "a", b"first").await;
    if could_delete(subject.store(), "a", &first).await {
        create(subject.other(), "a", b"second").await;
        assert_eq!(&found(subject.store(), "a").await.value[..], b"second");
    }
}

/// A version given before a removal names nothing after it: not another content, nor even the same one, unless versions are
/// hashes of contents.
pub async fn no_version_comes_back_after_a_removal(subject: &Subject) {
    let first = create(subject.store(), "a", b"one").await;
    if !could_delete(subject.store(), "a", &first).await {
        return;
    }
    let second = create(subject.store(), "a", b"two").await;
    assert_ne!(first, second, "one version for two contents");
    assert_eq!(put(subject.store(), "a", b"three", &When::Is(first.clone())).await, Written::Conflict);
    if !subject.has_hashed_versions() {
        assert!(could_delete(subject.store(), "a", &second).await);
        let third = create(subject.store(), "a", b"one").await;
        assert!(third != first && third != second, "a version came back");
    }
}
