//! Full disks, and disks that can only be read.

use std::fs;
use std::time::Duration;

use bytes::Bytes;
use tenure::clock::Clock;
use tenure::journal::names::Objects;
use tenure::journal::{JournalError, Record, Seq};
use tenure::store::{StoreErrorKind, When};
use tenure_stores::folder::JournalFolder;
use tenure_stores::open_journal;

use crate::mounted::Mounted;
use crate::{files, number, place, writer};

#[tokio::test]
async fn a_full_disk_is_named_and_leaves_no_half_of_a_file() {
    let Some(disk) = Mounted::with(256) else { return };
    let folder = JournalFolder::open(disk.path()).await.unwrap();
    folder.write("a/log/1", Bytes::from_static(b"one"), When::Absent).await.unwrap();
    let error = folder.write("a/log/2", vec![b'x'; 1 << 20].into(), When::Absent).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Unavailable, "{error}");
    assert!(error.to_string().contains("the disk is full; free some space"), "{error}");
    assert_eq!(files(&disk.path()), ["a/log/1"]);
}

#[tokio::test]
async fn a_commit_waits_for_space_on_a_full_disk_and_loses_nothing() {
    for address in ["file:", "sqlite:"] {
        let Some(disk) = Mounted::with(1024) else { return };
        let path = disk.path().join("journal");
        let journal = open_journal(&format!("{address}{}", path.display())).await.unwrap();
        let writer = writer(&*journal, 1).await;
        writer.commit(number(1)).await.unwrap();
        // Until nothing fits any more.
        let ballast = disk.path().join("ballast");
        let _ = fs::write(&ballast, vec![0; 2 << 20]);
        let mut waiting = Box::pin(async {
            for next in 2..=40 {
                writer.commit(vec![Record::json(&vec![next; 1000])]).await.unwrap();
            }
        });
        let given_up = Clock::boot().timeout(Duration::from_millis(500), &mut waiting).await;
        assert!(given_up.is_err(), "{address} has space of its own");
        fs::remove_file(&ballast).unwrap();
        waiting.await;
        let entries = journal.read(&place(), Seq(2), 100).await.unwrap();
        assert_eq!(entries.iter().map(|entry| entry.records.len()).sum::<usize>(), 40);
    }
}

#[tokio::test]
async fn a_disk_that_can_only_be_read_is_told_at_opening_and_amid_work() {
    let Some(disk) = Mounted::with(1024) else { return };
    let address = format!("file:{}", disk.path().join("journals").display());
    let journal = open_journal(&address).await.unwrap();
    let writer = writer(&*journal, 1).await;
    writer.commit(number(1)).await.unwrap();
    disk.protect();
    let error = writer.commit(number(2)).await.unwrap_err();
    let JournalError::Store(cause) = error else { panic!("{error}") };
    assert_eq!(cause.kind, StoreErrorKind::Denied);
    assert!(cause.to_string().contains("on a disk that can only be read"), "{cause}");
    let error = open_journal(&address).await.unwrap_err();
    assert!(error.to_string().contains("on a disk that can only be read"), "{error}");
    assert_eq!(journal.read(&place(), Seq(1), 10).await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_sqlite_file_on_a_disk_that_can_only_be_read_is_told_at_opening() {
    let Some(disk) = Mounted::with(1024) else { return };
    disk.protect();
    let address = format!("sqlite:{}", disk.path().join("journal.db").display());
    let error = open_journal(&address).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Denied, "{error}");
}
