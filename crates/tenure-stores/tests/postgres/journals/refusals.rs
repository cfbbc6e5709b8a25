//! What is refused at opening, and in which words.

use tenure::journal::{Damage, Fault, Journal, JournalError, Seq};
use tenure::store::{StoreError, StoreErrorKind};
use tenure_stores::postgres::{PostgresJournal, PostgresStore};
use tenure_testbed::postgres::Server;

use super::{author, connect, durable, number, of_its_own, place, server, writer};
use crate::address::{as_user, schema};

async fn refusal(address: &str) -> StoreError {
    PostgresJournal::connect(address).await.expect_err("it opened")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_opens_what_it_names() {
    let journal = tenure_stores::open_journal(&of_its_own().await).await.unwrap();
    assert_eq!(journal.kind(), "postgres");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_sync_is_refused() {
    let server = Server::start().await;
    let error = refusal(&server.url()).await;
    assert_eq!(error.kind, StoreErrorKind::Incompatible);
    assert!(error.to_string().contains("runs with fsync=off"), "{error}");
    assert!(error.to_string().contains("switch it on"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_acknowledged_is_on_disk_whatever_the_server_prefers() {
    let server = durable().await;
    server.psql("ALTER SYSTEM SET synchronous_commit = off").await;
    server.psql("ALTER SYSTEM SET wal_writer_delay = '10s'").await;
    server.psql("SELECT pg_reload_conf()").await;
    let journal = connect(&server.url()).await;
    writer(&journal, 3, 1).await.0.commit(number(1)).await.unwrap();
    // Nobody but us had it flushed.
    let flushed = "SELECT pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn()";
    assert_eq!(server.psql(flushed).await.trim(), "t");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_standby_and_a_server_that_can_only_be_read_are_refused() {
    let primary = durable().await;
    let standby = primary.standby().await;
    let error = refusal(&standby.url()).await;
    assert!(error.to_string().contains("is a standby; name the primary"), "{error}");
    primary.psql("ALTER DATABASE tenure SET default_transaction_read_only = on").await;
    let error = refusal(&primary.url()).await;
    assert!(error.to_string().contains("default_transaction_read_only is on; switch it off"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn ownership_and_journals_share_a_schema_each_with_its_own_tables() {
    let address = of_its_own().await;
    let journal = connect(&address).await;
    let _store = PostgresStore::open_url(&address).await.unwrap();
    let again = connect(&address).await;
    writer(&journal, 3, 1).await.0.commit(number(1)).await.unwrap();
    assert_eq!(writer(&again, 3, 2).await.1.records().count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_without_rights_is_told_what_to_grant() {
    let (name, user) = (schema(), format!("user_{:x}", fastrand::u64(..)));
    let address = format!("{}?schema={name}", server().await.url());
    let _owner = connect(&address).await;
    server().await.psql(&format!("CREATE ROLE {user} LOGIN")).await;
    let theirs = as_user(&address, &user);
    let error = refusal(&theirs).await;
    assert_eq!(error.kind, StoreErrorKind::Denied);
    let message = error.to_string();
    let grants = message.split("as the owner: ").nth(1).expect("it says what to grant");
    server().await.psql(grants).await;
    let journal = connect(&theirs).await;
    let (writer, _) = writer(&journal, 3, 1).await;
    let seq = writer.commit(number(1)).await.unwrap();
    writer.shorten(seq, "[1]".into()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_the_server_does_not_understand_is_not_sent_for_ever() {
    let server = durable().await;
    let journal = connect(&server.url()).await;
    let (writer, _) = writer(&journal, 3, 1).await;
    server.psql("ALTER TABLE tenure.journal_entry RENAME COLUMN body TO corpse").await;
    let JournalError::Store(error) = writer.commit(number(1)).await.unwrap_err() else { panic!() };
    assert_eq!(error.kind, StoreErrorKind::Incompatible);
    assert!(error.to_string().contains("the server refused: column"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entry_that_somebody_deleted_is_missed() {
    let server = durable().await;
    let journal = connect(&server.url()).await;
    let (writer, _) = writer(&journal, 3, 1).await;
    for next in 1..=3 {
        writer.commit(number(next)).await.unwrap();
    }
    server.psql("DELETE FROM tenure.journal_entry WHERE seq = 3").await;
    let gone =
        |error: JournalError| matches!(error, JournalError::Ended(Fault::Damaged(Damage::EntryGone(Seq(3)))));
    assert!(gone(journal.open(&place(3), author(2)).await.unwrap_err()));
    assert!(gone(journal.read(&place(3), Seq(1), 10).await.unwrap_err()));
}
