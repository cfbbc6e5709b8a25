//! Appends of many journals over one connection.

use bytes::Bytes;
use futures_util::future::join_all;
use tenure::Epoch;
use tenure::journal::{Author, Entry, Journal, Record, Run, Seq};

use super::{author, connect, durable, number, of_its_own, place, stored, writer};

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_is_committed_together_whosever_it_is() {
    let server = durable().await;
    let journal = connect(&server.url()).await;
    let mut writers = Vec::new();
    for shard in 0..64 {
        writers.push(writer(&journal, shard, 1).await.0);
    }
    join_all(writers.iter().map(|writer| writer.commit(number(7)))).await.into_iter().for_each(|seq| {
        assert_eq!(seq.unwrap(), Seq(2));
    });
    let transactions = "SELECT count(DISTINCT xmin::text), count(*) FROM tenure.journal_entry WHERE kind = 1";
    let counted = server.psql(transactions).await;
    let (transactions, entries) = counted.trim().split_once('|').unwrap();
    assert_eq!(entries, "64");
    assert!(transactions.parse::<u32>().unwrap() <= 8, "{transactions} transactions for {entries} entries");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_is_fenced_spoils_nothing_for_those_that_are_committed_with_it() {
    let journal = connect(&of_its_own().await).await;
    let mut writers = Vec::new();
    for shard in 0..16 {
        writers.push(writer(&journal, shard, 1).await.0);
    }
    let _newer = journal.open(&place(7), author(2)).await.unwrap();
    let done = join_all(writers.iter().map(|writer| writer.commit(number(1)))).await;
    let fenced: Vec<usize> = (0..16).filter(|shard| done[*shard].is_err()).collect();
    assert_eq!(fenced, [7]);
    assert_eq!(done[7].as_ref().unwrap_err().fenced_by(), Some(Epoch(2)));
    assert!(stored(&journal, 7).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn appends_of_one_journal_follow_each_other_without_waiting_for_answers() {
    let journal = connect(&of_its_own().await).await;
    let opened = journal.open(&place(3), author(1)).await.unwrap();
    assert!(opened.claim.under_way() > 1);
    let entries: Vec<Entry> = (2..=40).map(|seq| Entry::batch(Seq(seq), author(1), 0, number(seq))).collect();
    for result in join_all(entries.iter().map(|entry| opened.claim.append(entry))).await {
        result.unwrap();
    }
    assert_eq!(stored(&journal, 3).await, (2..=40).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_of_any_letters_are_stored_and_found() {
    let journal = connect(&of_its_own().await).await;
    let opened = journal.open(&place(3), author(1)).await.unwrap();
    let keys = ["k".repeat(256), "a\0b".to_owned(), "\u{10ffff}%_\\".to_owned()];
    let records = keys.iter().map(|key| Record::json(&1).about(key.as_str())).collect();
    let entry = Entry::batch(Seq(2), author(1), 0, records);
    opened.claim.append(&entry).await.unwrap();
    assert!(journal.read(&place(3), Seq(2), 1).await.unwrap() == [entry], "it came back changed");
    for key in &keys {
        assert_eq!(journal.read_of(&place(3), key, Seq(0), 9).await.unwrap().len(), 1, "{key:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_opening_that_lands_late_makes_nobody_believe_that_an_entry_is_stored() {
    let journal = connect(&of_its_own().await).await;
    let (ours, theirs) = (author(5), Author { run: Run(6), ..author(5) });
    let first = journal.open(&place(3), ours).await.unwrap();
    let _other = journal.open(&place(3), theirs).await.unwrap();
    // As if the same opening had been sent twice, and the first of them had been held up until now.
    let _late = journal.open(&place(3), ours).await.unwrap();
    let error = first.claim.append(&Entry::batch(Seq(2), ours, 0, number(1))).await.unwrap_err();
    assert_eq!(error.fenced_by(), Some(Epoch(5)), "{error}");
    assert!(stored(&journal, 3).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_of_many_megabytes_comes_back_and_holds_up_no_append() {
    let journal = connect(&of_its_own().await).await;
    let (owner, _) = writer(&journal, 3, 1).await;
    let (other, _) = writer(&journal, 4, 1).await;
    let seq = owner.commit(number(1)).await.unwrap();
    let state = Bytes::from(vec![0xA5; 50 << 20]);
    let (shortened, appended) =
        futures_util::join!(owner.shorten(seq, state.clone()), other.commit(number(2)));
    assert_eq!((shortened.unwrap(), appended.unwrap()), (tenure::journal::Shortened::Cleared, Seq(2)));
    let (_, kept) = writer(&journal, 3, 2).await;
    assert!(kept.snapshot.unwrap().state == state, "it came back changed");
}
