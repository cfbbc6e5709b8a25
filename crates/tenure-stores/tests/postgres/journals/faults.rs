//! Servers that end and connections that break amid appends: what was acknowledged is there, once and in order.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::join;
use tenure::journal::{Entry, Fault, Journal, JournalError, Seq};
use tenure_testbed::proxy::{Mode, Proxy};

use super::{author, connect, durable, number, place, server, stored, writer};
use crate::address::{schema, until};
use crate::replication::{nobody_follows, once_it_waits};

#[tokio::test(flavor = "multi_thread")]
async fn appends_go_on_over_a_server_that_is_killed_and_comes_back() {
    let mut server = durable().await;
    let journal = connect(&server.url()).await;
    let (writer, _) = writer(&journal, 3, 1).await;
    let enough = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&enough);
    let appending = tokio::spawn(async move {
        let mut acknowledged = Vec::new();
        for next in 1.. {
            writer.commit(number(next)).await.unwrap();
            acknowledged.push(next);
            if told.load(Ordering::Relaxed) {
                break;
            }
        }
        acknowledged
    });
    for _ in 0..3 {
        let before = server.psql("SELECT last FROM tenure.journal_fence").await;
        until("something was appended", async || {
            server.psql("SELECT last FROM tenure.journal_fence").await != before
        })
        .await;
        server.kill();
        server.restart().await;
    }
    enough.store(true, Ordering::Relaxed);
    let acknowledged = appending.await.unwrap();
    assert_eq!(stored(&journal, 3).await, acknowledged);
}

/// A proxy in front of a server, and the addresses through it and around it.
async fn proxied() -> (Proxy, String, String) {
    let address = format!("{}?schema={}", server().await.url(), schema());
    let upstream = address.split(['@', '/']).nth(3).expect("a host").to_owned();
    let proxy = Proxy::start(upstream.parse().expect("an address")).await.expect("a port");
    let through = address.replacen(&upstream, &proxy.address().to_string(), 1);
    (proxy, through, address)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_append_whose_answer_is_lost_is_settled_and_stored_once() {
    let (proxy, through, around) = proxied().await;
    let (journal, truth) = (connect(&through).await, connect(&around).await);
    let (writer, _) = writer(&journal, 3, 1).await;
    for next in 1..=5 {
        proxy.set(Mode::DropAnswerThenCut);
        writer.commit(number(next)).await.unwrap();
        assert_eq!(proxy.answers_lost(), next);
    }
    assert_eq!(stored(&truth, 3).await, [1, 2, 3, 4, 5]);
}

#[tokio::test(flavor = "multi_thread")]
async fn several_appends_whose_answers_are_lost_are_settled_in_order() {
    let (proxy, through, around) = proxied().await;
    let (journal, truth) = (connect(&through).await, connect(&around).await);
    let opened = journal.open(&place(3), author(1)).await.unwrap();
    let entries: Vec<Entry> = (2..=9).map(|seq| Entry::batch(Seq(seq), author(1), 0, number(seq))).collect();
    proxy.set(Mode::DropAnswerThenCut);
    for result in futures_util::future::join_all(entries.iter().map(|entry| opened.claim.append(entry))).await
    {
        result.unwrap();
    }
    assert_eq!(stored(&truth, 3).await, (2..=9).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_opening_and_a_shortening_whose_answers_are_lost_are_settled() {
    let (proxy, through, around) = proxied().await;
    let (journal, truth) = (connect(&through).await, connect(&around).await);
    // The connection over which it goes exists: the answer to be lost is that of the opening.
    proxy.set(Mode::DropAnswerThenCut);
    let (writer, _) = writer(&journal, 3, 1).await;
    let seq = writer.commit(number(1)).await.unwrap();
    proxy.set(Mode::DropAnswerThenCut);
    let shortened = writer.shorten(seq, "[1]".into()).await.unwrap();
    assert_eq!(shortened, tenure::journal::Shortened::Cleared, "its own, of which it had no answer");
    assert_eq!(proxy.answers_lost(), 2);
    writer.commit(number(2)).await.unwrap();
    let (_, kept) = super::writer(&truth, 3, 2).await;
    assert_eq!((&kept.snapshot.as_ref().unwrap().state[..], kept.records().count()), (&b"[1]"[..], 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_somebody_locks_holds_up_its_own_journal_alone() {
    let server = durable().await;
    let journal = connect(&server.url()).await;
    let ((locked, _), (free, _)) = (writer(&journal, 3, 1).await, writer(&journal, 4, 1).await);
    let (client, connection) = tokio_postgres::connect(&server.url(), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client
        .batch_execute("BEGIN; SELECT 1 FROM tenure.journal_fence WHERE shard = 3 FOR UPDATE")
        .await
        .unwrap();
    let waits = tokio::spawn(async move { locked.commit(number(1)).await });
    for next in 1..=3 {
        free.commit(number(next)).await.unwrap();
    }
    assert!(!waits.is_finished());
    client.batch_execute("ROLLBACK").await.unwrap();
    assert_eq!(waits.await.unwrap().unwrap(), Seq(2));
    assert_eq!((stored(&journal, 3).await, stored(&journal, 4).await), (vec![1], vec![1, 2, 3]));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_heir_that_has_read_more_than_is_there_is_told_that_the_journal_went_back() {
    let server = durable().await;
    let journal = connect(&server.url()).await;
    let (former, _) = writer(&journal, 3, 1).await;
    let seq = former.commit(number(1)).await.unwrap();
    let before = journal.ahead(&place(3)).await.unwrap();
    former.shorten(seq, "[1]".into()).await.unwrap();
    former.commit(number(2)).await.unwrap();
    let after = journal.ahead(&place(3)).await.unwrap();
    // As after a restore of what was there before.
    for (sql, ahead) in [
        ("UPDATE tenure.journal_fence SET start = 1; DELETE FROM tenure.journal_snapshot", after.clone()),
        ("UPDATE tenure.journal_fence SET last = 1", before),
        ("DELETE FROM tenure.journal_fence", after),
    ] {
        server.psql(sql).await;
        let error = journal.open_after(ahead, author(2)).await.unwrap_err();
        assert!(matches!(error, JournalError::Ended(Fault::WentBack { .. })), "{sql}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deposed_owner_behind_a_cut_learns_that_it_is_over() {
    let (proxy, through, around) = proxied().await;
    let (journal, truth) = (connect(&through).await, connect(&around).await);
    let (old, _) = writer(&journal, 3, 1).await;
    old.commit(number(1)).await.unwrap();
    proxy.set(Mode::Cut);
    let (late, newer) = join!(old.commit(number(2)), async {
        let (newer, kept) = writer(&truth, 3, 2).await;
        assert_eq!(kept.records().count(), 1);
        newer.commit(number(3)).await.unwrap();
        proxy.set(Mode::Pass);
        newer
    });
    assert_eq!(late.unwrap_err().fenced_by(), Some(tenure::Epoch(2)));
    newer.commit(number(4)).await.unwrap();
    assert_eq!(stored(&truth, 3).await, [1, 3, 4]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_append_that_no_standby_has_is_not_acknowledged_until_one_has_it() {
    let server = durable().await;
    let journal = connect(&server.url()).await;
    let (writer, _) = writer(&journal, 3, 1).await;
    nobody_follows(&server).await;
    let acknowledged = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&acknowledged);
    let commit = tokio::spawn(async move {
        let done = writer.commit(number(1)).await;
        told.store(true, Ordering::Relaxed);
        done
    });
    // The append stops waiting: everybody sees it, and no standby has it. Then so does the look that was to settle it.
    for _ in 0..2 {
        once_it_waits(&server, "pg_cancel_backend").await;
        assert_eq!(server.psql("SELECT last FROM tenure.journal_fence").await.trim(), "2");
        assert!(!acknowledged.load(Ordering::Relaxed), "a fail-over would take it away");
    }
    server.psql("ALTER SYSTEM SET synchronous_standby_names = ''").await;
    server.psql("SELECT pg_reload_conf()").await;
    assert_eq!(commit.await.unwrap().unwrap(), Seq(2));
}
