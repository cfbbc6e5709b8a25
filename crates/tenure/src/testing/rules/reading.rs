//! A read shows what is there.

use super::step::{create, found, read, replace};
use crate::store::{Read, Versioned};
use crate::testing::Subject;

/// A key that was never written is absent, even to a reader that names a version.
pub async fn a_read_of_nothing_is_absent(subject: &Subject) {
    let elsewhere = create(subject.store(), "a", b"here").await;
    assert_eq!(read(subject.store(), "b", None).await, Read::Absent);
    assert_eq!(read(subject.store(), "b", Some(&elsewhere)).await, Read::Absent);
}

/// A reader that names the present version is told `Unchanged`, or given that very record again.
pub async fn a_read_of_the_known_version_is_not_another(subject: &Subject) {
    let version = create(subject.store(), "a", b"first").await;
    match read(subject.other(), "a", Some(&version)).await {
        Read::Unchanged => {}
        answer @ (Read::Found(_) | Read::Absent) => {
            let record = Versioned { version, value: b"first"[..].into() };
            assert_eq!(answer, Read::Found(record));
        }
    }
}

/// A reader that names an old version is given the new content.
pub async fn a_read_with_an_old_version_brings_the_new_content(subject: &Subject) {
    let first = create(subject.store(), "a", b"first").await;
    let second = replace(subject.store(), "a", b"second", &first).await;
    let record = Versioned { version: second, value: b"second"[..].into() };
    assert_eq!(read(subject.store(), "a", Some(&first)).await, Read::Found(record));
}

/// What one handle was told is stored, a read begun afterwards through another shows.
pub async fn a_write_is_read_at_once_through_another_handle(subject: &Subject) {
    let mut version = create(subject.store(), "a", b"0").await;
    for number in 1..50 {
        let (writer, reader) = match number % 2 {
            0 => (subject.store(), subject.other()),
            _ => (subject.other(), subject.store()),
        };
        version = replace(writer, "a", number.to_string().as_bytes(), &version).await;
        let record = found(reader, "a").await;
        assert_eq!((&record.version, &record.value[..]), (&version, number.to_string().as_bytes()));
    }
}
