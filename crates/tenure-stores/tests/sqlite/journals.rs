//! Journals in a SQLite file, as their users meet them.

use std::fs;

use tenure::journal::{
    Author, Damage, Fault, Journal, JournalError, Place, Record, Run, Seq, Writer, WriterLimits,
};
use tenure::testing::journal::JournalSubject;
use tenure::testing::journal_suite;
use tenure::{Epoch, Lineage, ShardId};
use tenure_stores::sqlite::{SqliteJournal, SqliteStore};

async fn in_a_file() -> JournalSubject {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let journal = SqliteJournal::open(&path).await.unwrap();
    let other = SqliteJournal::open(&path).await.unwrap();
    JournalSubject::new(journal).with_second_handle(other).keeping(folder)
}

journal_suite!(in_a_file);

fn place(shard: u32) -> Place {
    Place { journal: "counter".parse().unwrap(), shard: ShardId(shard) }
}

fn author(epoch: u64) -> Author {
    Author { lineage: Lineage(1), epoch: Epoch(epoch), run: Run(epoch.into()) }
}

#[tokio::test]
async fn what_was_acknowledged_is_there_after_the_file_was_closed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    for epoch in 1..=5 {
        let journal = SqliteJournal::open(&path).await.unwrap();
        let (writer, kept) =
            Writer::open(&journal, &place(3), author(epoch), WriterLimits::default()).await.unwrap();
        assert_eq!(kept.records().count() as u64, epoch - 1);
        writer.commit(vec![Record::json(&epoch)]).await.unwrap();
    }
}

#[tokio::test]
async fn one_that_is_fenced_spoils_nothing_for_those_that_are_committed_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let journal = SqliteJournal::open(folder.path().join("journal.db")).await.unwrap();
    let mut writers = Vec::new();
    for shard in 0..16 {
        let opened = Writer::open(&journal, &place(shard), author(1), WriterLimits::default()).await;
        writers.push(opened.unwrap().0);
    }
    let _newer = journal.open(&place(7), author(2)).await.unwrap();
    let commits = writers.iter().map(|writer| writer.commit(vec![Record::json(&1)]));
    let done = futures_util::future::join_all(commits).await;
    let fenced: Vec<usize> = (0..16).filter(|shard| done[*shard].is_err()).collect();
    assert_eq!(fenced, [7]);
    assert_eq!(done[7].as_ref().unwrap_err().fenced_by(), Some(Epoch(2)));
}

#[tokio::test]
async fn ownership_and_journals_do_not_share_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tenure.db");
    let store = SqliteStore::open(&path).await.unwrap();
    let error = SqliteJournal::open(&path).await.unwrap_err();
    assert!(error.to_string().contains("it holds the records of ownership; name another file"), "{error}");
    drop(store);
    let path = folder.path().join("journal.db");
    let _journal = SqliteJournal::open(&path).await.unwrap();
    let error = SqliteStore::open(&path).await.unwrap_err();
    assert!(error.to_string().contains("it holds journals; name another file"), "{error}");
}

#[tokio::test]
async fn a_file_that_is_replaced_ends_the_journals_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let journal = SqliteJournal::open(&path).await.unwrap();
    let (writer, _) = Writer::open(&journal, &place(3), author(1), WriterLimits::default()).await.unwrap();
    writer.commit(vec![Record::json(&1)]).await.unwrap();
    let copy = folder.path().join("copy.db");
    fs::copy(&path, &copy).unwrap();
    fs::rename(&copy, &path).unwrap();
    let error = writer.commit(vec![Record::json(&2)]).await.unwrap_err();
    let JournalError::Store(error) = error else { panic!("{error}") };
    assert!(error.to_string().contains("was replaced by another file"), "{error}");
}

#[tokio::test]
async fn another_founding_is_told_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let journal = SqliteJournal::open(folder.path().join("journal.db")).await.unwrap();
    journal.open(&place(3), author(1)).await.unwrap();
    let stranger = Author { lineage: Lineage(2), ..author(2) };
    let error = journal.open(&place(3), stranger).await.unwrap_err();
    assert!(matches!(error, JournalError::Ended(Fault::Foreign(Lineage(1)))), "{error}");
}

#[tokio::test]
async fn a_warm_heir_does_not_read_again_what_it_has_read_ahead() {
    let folder = tempfile::tempdir().unwrap();
    let journal = SqliteJournal::open(folder.path().join("journal.db")).await.unwrap();
    let (writer, _) = Writer::open(&journal, &place(3), author(1), WriterLimits::default()).await.unwrap();
    let first = writer.commit(vec![Record::json(&1)]).await.unwrap();
    writer.shorten(first, vec![7; 50 << 20].into()).await.unwrap();
    writer.commit(vec![Record::json(&2)]).await.unwrap();
    let ahead = journal.ahead(&place(3)).await.unwrap();
    let (state, body) =
        (ahead.kept.snapshot.clone().unwrap().state, ahead.kept.entries[0].records[0].body.clone());
    writer.commit(vec![Record::json(&3)]).await.unwrap();
    let kept = journal.open_after(ahead, author(2)).await.unwrap().kept;
    assert_eq!(kept.records().count(), 2);
    // The very bytes that were read ahead, and no copies.
    assert_eq!(kept.snapshot.unwrap().state.as_ptr(), state.as_ptr());
    assert_eq!(kept.entries[0].records[0].body.as_ptr(), body.as_ptr());
}

#[tokio::test]
async fn a_file_that_holds_less_than_was_read_ahead_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let newer = SqliteJournal::open(folder.path().join("newer.db")).await.unwrap();
    let (writer, _) = Writer::open(&newer, &place(3), author(1), WriterLimits::default()).await.unwrap();
    writer.commit(vec![Record::json(&1)]).await.unwrap();
    let ahead = newer.ahead(&place(3)).await.unwrap();
    let older = SqliteJournal::open(folder.path().join("older.db")).await.unwrap();
    older.open(&place(3), author(1)).await.unwrap();
    let error = older.open_after(ahead, author(2)).await.unwrap_err();
    assert!(matches!(error, JournalError::Ended(Fault::WentBack { .. })), "{error}");
}

fn hurt(path: &std::path::Path, sql: &str) {
    let changed = rusqlite::Connection::open(path).unwrap().execute(sql, ()).unwrap();
    assert!(changed > 0, "{sql} changed nothing");
}

#[tokio::test]
async fn rows_that_somebody_deleted_are_told_and_not_passed_over() {
    for (sql, damage) in [
        ("DELETE FROM entry WHERE seq = 4", Damage::EntryGone(Seq(4))),
        ("DELETE FROM entry WHERE seq = 6", Damage::EntryGone(Seq(6))),
        ("DELETE FROM snapshot", Damage::SnapshotGone(Seq(2))),
        ("DELETE FROM fence", Damage::HeadGone),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let journal = SqliteJournal::open(&path).await.unwrap();
        let (writer, _) =
            Writer::open(&journal, &place(3), author(1), WriterLimits::default()).await.unwrap();
        for number in 2..=6 {
            assert_eq!(writer.commit(vec![Record::json(&number)]).await.unwrap(), Seq(number));
        }
        writer.shorten(Seq(2), "two".into()).await.unwrap();
        hurt(&path, sql);
        let error = journal.open(&place(3), author(2)).await.unwrap_err();
        let JournalError::Ended(Fault::Damaged(found)) = error else { panic!("{sql}: {error}") };
        assert_eq!(found, damage, "{sql}");
    }
}

#[tokio::test]
async fn a_row_that_went_back_is_told_to_the_owner_that_knows_better() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let journal = SqliteJournal::open(&path).await.unwrap();
    let (writer, _) = Writer::open(&journal, &place(3), author(1), WriterLimits::default()).await.unwrap();
    for number in 2..=6 {
        writer.commit(vec![Record::json(&number)]).await.unwrap();
    }
    hurt(&path, "UPDATE fence SET last = 4");
    hurt(&path, "DELETE FROM entry WHERE seq > 4");
    let error = writer.commit(vec![Record::json(&7)]).await.unwrap_err();
    let JournalError::Ended(fault) = &error else { panic!("{error}") };
    assert_eq!(*fault, Fault::WentBack { was: Seq(6), now: Seq(4) });
    assert!(error.to_string().contains("restored from a copy"), "{error}");
}
