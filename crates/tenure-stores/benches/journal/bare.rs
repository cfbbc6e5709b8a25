//! A store's own write, without any journal: what a commit is compared with.

use bytes::Bytes;
use tenure::journal::names::Objects;
use tenure::store::{SharedStore, When, Written};
use tenure_stores::folder::JournalFolder;

use super::RECORD_BYTES;

/// Where bare writes go.
pub(super) enum Bare {
    /// A record of ownership, of the same length.
    Record(SharedStore),
    /// A file.
    File(JournalFolder),
}

impl Bare {
    /// Beside the journals at `address`.
    pub(super) async fn at(address: &str) -> Self {
        if let Some(path) = address.strip_prefix("file:") {
            return Self::File(JournalFolder::open(format!("{path}-bare")).await.expect("a folder"));
        }
        let beside = match address.strip_prefix("sqlite:") {
            Some(path) => format!("sqlite:{path}-bare"),
            None => address.to_owned(),
        };
        Self::Record(tenure_stores::open(&beside).await.expect("a store"))
    }

    pub(super) async fn write(&self, number: u64) {
        let (name, bytes) =
            (format!("bare/{:x}-{number}", fastrand::u64(..)), Bytes::from(vec![b'7'; RECORD_BYTES]));
        let written = match self {
            Self::Record(store) => store.put(&name, bytes, When::Absent).await,
            Self::File(folder) => folder.write(&name, bytes, When::Absent).await,
        };
        assert!(matches!(written, Ok(Written::Stored(_))), "{written:?}");
    }
}
