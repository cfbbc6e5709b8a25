//! Keys and contents come back as they went in.

use super::step::{create, found, keys};
use crate::testing::Subject;

/// A ledger page of a large cluster fits.
pub async fn a_large_value_comes_back_whole(subject: &Subject) {
    let large: Vec<u8> = (0..256 * 1024_u32).map(|number| (number % 251) as u8).collect();
    create(subject.store(), "a", &large).await;
    assert!(found(subject.other(), "a").await.value == large, "256 KiB came back changed");
}

/// No byte is special, and neither is nothing.
pub async fn any_bytes_come_back(subject: &Subject) {
    let every: Vec<u8> = (0..=255).collect();
    for (key, value) in [("every", &every[..]), ("none", b""), ("zero", b"\0"), ("quote", b"'\";--\n")] {
        create(subject.store(), key, value).await;
        assert_eq!(&found(subject.other(), key).await.value[..], value, "{key}");
    }
}

/// Keys that differ in a mark or in case are different keys.
pub async fn keys_with_dots_and_dashes_are_kept_apart(subject: &Subject) {
    let alike = ["p/a-b", "p/a.b", "p/a_b", "p/ab", "p/A-b", "p/a--b", "p/a-b.c", "p/0.a-b_C"];
    for key in alike {
        create(subject.store(), key, key.as_bytes()).await;
    }
    for key in alike {
        assert_eq!(&found(subject.other(), key).await.value[..], key.as_bytes());
    }
    assert_eq!(keys(subject.store(), "p/").await.len(), alike.len());
}
