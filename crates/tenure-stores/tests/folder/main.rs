//! Journals in a folder, as their users meet them; and what a full disk and one that can only be read do to those on disks.

#![allow(clippy::unwrap_used, reason = "a test that meets what it does not expect fails")]

mod disks;
#[path = "../fleet/mod.rs"]
mod fleet;
mod mounted;
mod scribe_storm;
#[path = "../scribes/mod.rs"]
mod scribes;

use std::fs;
use std::path::Path;

use bytes::Bytes;
use tenure::journal::names::{Names, Objects};
use tenure::journal::{
    Author, Damage, Depot, Fault, Journal, JournalError, Place, Record, Run, Seq, Shortened, Writer,
    WriterLimits,
};
use tenure::store::{StoreErrorKind, When, Written};
use tenure::testing::journal::JournalSubject;
use tenure::testing::journal_suite;
use tenure::{Epoch, Lineage, ShardId};
use tenure_stores::folder::JournalFolder;

async fn in_a_folder() -> JournalSubject {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journals");
    let open = || async { Names::new(JournalFolder::open(&path).await.unwrap(), "") };
    JournalSubject::new(open().await).with_second_handle(open().await).keeping(folder)
}

journal_suite!(in_a_folder);

pub(crate) fn place() -> Place {
    Place { journal: "counter".parse().unwrap(), shard: ShardId(3) }
}

pub(crate) async fn writer(journal: &dyn Journal, epoch: u64) -> Writer {
    let author = Author { lineage: Lineage(1), epoch: Epoch(epoch), run: Run(epoch.into()) };
    Writer::open(journal, &place(), author, WriterLimits::default()).await.unwrap().0
}

pub(crate) fn number(number: u64) -> Vec<Record> {
    vec![Record::json(&number)]
}

/// Every file below `folder`, from there on.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        match entry.file_type().unwrap().is_dir() {
            true => found.extend(files(&entry.path()).into_iter().map(|file| format!("{name}/{file}"))),
            false => found.push(name),
        }
    }
    found.sort();
    found
}

#[tokio::test]
async fn entries_are_files_that_any_tool_can_read_and_nothing_else_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let journal = JournalFolder::journal(&format!("file:{}", folder.path().display())).await.unwrap();
    let writer = writer(&journal, 1).await;
    let seq = writer.commit(vec![Record::json(&"one more").about("cart-9")]).await.unwrap();
    let log = "3/counter/log/000000000000000";
    assert_eq!(files(folder.path()), ["3/counter/head".to_owned(), format!("{log}1"), format!("{log}2")]);
    let text = fs::read_to_string(folder.path().join(format!("{log}2"))).unwrap();
    assert!(text.contains(r#"{"key":"cart-9","version":1,"body":"one more"}"#), "{text}");
    assert_eq!(writer.shorten(seq, Bytes::from_static(b"1")).await.unwrap(), Shortened::Cleared);
    let left = files(folder.path());
    assert_eq!(left[..3], ["3/counter/.lock".to_owned(), "3/counter/head".into(), format!("{log}1")]);
    assert!(left.len() == 4 && left[3].starts_with("3/counter/snap/"), "{left:?}");
}

#[tokio::test]
async fn of_many_who_create_a_name_one_does_and_of_many_who_replace_it_one_does() {
    let folder = tempfile::tempdir().unwrap();
    let disk = JournalFolder::open(folder.path()).await.unwrap();
    let all = |when: When| {
        let writes = (0..16).map(|number| {
            let (disk, when) = (disk.clone(), when.clone());
            tokio::spawn(
                async move { disk.write("a/head", Bytes::from(format!("{when:?}{number}")), when).await },
            )
        });
        futures_util::future::join_all(writes)
    };
    let mut when = When::Absent;
    for _ in 0..20 {
        let mut stored = Vec::new();
        for written in all(when).await {
            match written.unwrap() {
                Ok(Written::Stored(version)) => stored.push(version),
                Ok(Written::Conflict) => {}
                // Another one is just replacing it: nothing was done.
                Err(error) => assert_eq!(error.kind, StoreErrorKind::Unavailable, "{error}"),
            }
        }
        assert_eq!(stored.len(), 1);
        when = When::Is(stored.remove(0));
    }
}

#[tokio::test]
async fn a_folder_that_is_moved_away_ends_the_journals_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, elsewhere) = (folder.path().join("journals"), folder.path().join("elsewhere"));
    let journal = Names::new(JournalFolder::open(&path).await.unwrap(), "");
    let writer = writer(&journal, 1).await;
    writer.commit(number(1)).await.unwrap();
    fs::rename(&path, &elsewhere).unwrap();
    fs::create_dir(&path).unwrap();
    let error = writer.commit(number(2)).await.unwrap_err();
    let JournalError::Store(error) = error else { panic!("{error}") };
    assert!(error.to_string().contains("was moved, deleted or replaced while it was in use"), "{error}");
    assert_eq!(files(&path), Vec::<String>::new());
}

#[tokio::test]
async fn a_file_that_is_gone_or_cut_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Names::new(JournalFolder::open(folder.path()).await.unwrap(), "");
    let writer = writer(&journal, 1).await;
    for next in 1..=3 {
        writer.commit(number(next)).await.unwrap();
    }
    let entry = folder.path().join("3/counter/log/0000000000000003");
    let whole = fs::read(&entry).unwrap();
    fs::write(&entry, &whole[..whole.len() - 9]).unwrap();
    let error = journal.read(&place(), Seq(1), 10).await.unwrap_err();
    assert!(error.to_string().contains("entry 3 of shard 3 can't be read: it is cut short"), "{error}");
    fs::remove_file(&entry).unwrap();
    let author = Author { lineage: Lineage(1), epoch: Epoch(2), run: Run(2) };
    let error = journal.open(&place(), author).await.unwrap_err();
    assert!(matches!(error, JournalError::Ended(Fault::Damaged(Damage::EntryGone(Seq(3))))), "{error}");
}

#[tokio::test]
async fn what_is_no_folder_is_refused_and_so_are_names_that_lead_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = JournalFolder::open(&file).await.unwrap_err();
    assert!(error.to_string().contains("is no folder, but a file"), "{error}");
    let error = JournalFolder::open(file.join("below")).await.unwrap_err();
    assert!(error.to_string().contains("is no folder, but a file"), "{error}");
    let disk = JournalFolder::open(folder.path()).await.unwrap();
    let journal = Names::new(disk.clone(), "");
    journal.keep("a/b", "one".into()).await.unwrap();
    for (name, reason) in [("a", "is a folder"), ("a/b/c", "is no folder, but a file")] {
        let JournalError::Store(error) = journal.keep(name, "two".into()).await.unwrap_err() else {
            panic!()
        };
        assert!(error.to_string().contains(reason), "{error}");
    }
    for name in ["../x", "a/../../x", "/x", "a//b", ".lock", ""] {
        let error = disk.write(name, Bytes::new(), When::Absent).await.unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Invalid, "{name}: {error}");
    }
}

#[tokio::test]
async fn an_address_opens_what_it_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display();
    for (epoch, address, kind) in [
        (1, format!("file:{path}/a"), "folder"),
        (2, format!("{path}/a"), "folder"),
        (1, format!("sqlite:{path}/journal.db"), "sqlite"),
    ] {
        let journal = tenure_stores::open_journal(&address).await.unwrap();
        assert_eq!(journal.kind(), kind, "{address}");
        writer(&*journal, epoch).await.commit(number(1)).await.unwrap();
    }
}
