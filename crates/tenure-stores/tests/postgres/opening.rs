//! Schemas are laid out once, by whoever comes first, and left alone by those who don't know them or may not touch them.

use futures_util::future::join_all;
use tenure::store::{StoreErrorKind, When};
use tenure_stores::postgres::PostgresStore;
use tenure_testbed::{Kind, postgres::Server};
use tokio_postgres::{Client, NoTls};

use crate::address::{as_user, held, of_its_own, open, refusal, schema, stored};

/// A connection of the owner's, beside the store's.
async fn owner(address: &str) -> Client {
    let base = address.split('?').next().unwrap_or_default();
    let (client, connection) = tokio_postgres::connect(base, NoTls).await.expect("a connection");
    tokio::spawn(connection);
    client
}

async fn run(address: &str, sql: &str) {
    owner(address).await.batch_execute(sql).await.expect("the owner may");
}

/// A store on the shared server, the name of its schema, and of a user without any rights.
async fn with_stranger() -> (String, String, String) {
    let (name, user) = (schema(), format!("user_{:x}", fastrand::u64(..)));
    let address = format!("{}?schema={name}", tenure_testbed::url(Kind::Postgres));
    run(&address, &format!("CREATE ROLE {user} LOGIN")).await;
    (address, name, user)
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_who_come_first_one_lays_it_out() {
    let address = of_its_own();
    let opened = join_all((0..16).map(|_| open(&address))).await;
    let version = stored(&opened[0], "a", "one", When::Absent).await;
    stored(&opened[15], "a", "two", When::Is(version)).await;
}

#[tokio::test]
async fn those_who_only_look_create_nothing() {
    let address = of_its_own();
    for _ in 0..2 {
        let error = PostgresStore::open_existing_url(&address).await.unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Incompatible);
        assert!(error.to_string().contains("there is no schema"), "{error}");
    }
    let store = open(&address).await;
    stored(&store, "a", "one", When::Absent).await;
    let looking = PostgresStore::open_existing_url(&address).await.unwrap();
    assert_eq!(held(&looking, "a").await.as_deref(), Some("one"));
}

#[tokio::test]
async fn a_layout_of_the_future_is_left_alone() {
    let name = schema();
    let address = format!("{}?schema={name}", tenure_testbed::url(Kind::Postgres));
    open(&address).await;
    run(&address, &format!("INSERT INTO {name}.layouts (number) VALUES (7)")).await;
    let error = refusal(&address).await;
    assert_eq!(error.kind, StoreErrorKind::Incompatible);
    assert!(
        error.to_string().contains("its layout is 7") && error.to_string().contains("upgrade"),
        "{error}"
    );
}

#[tokio::test]
async fn the_tables_of_another_program_are_left_alone() {
    let name = schema();
    let address = format!("{}?schema={name}", tenure_testbed::url(Kind::Postgres));
    run(&address, &format!("CREATE SCHEMA {name}; CREATE TABLE {name}.records (song text)")).await;
    let error = refusal(&address).await;
    assert_eq!(error.kind, StoreErrorKind::Incompatible);
    assert!(error.to_string().contains("another program"), "{error}");
    let left = owner(&address).await.query(&format!("SELECT song FROM {name}.records"), &[]).await.unwrap();
    assert!(left.is_empty());
}

#[tokio::test]
async fn a_user_without_rights_is_told_what_to_grant_and_then_works() {
    let (address, _, user) = with_stranger().await;
    open(&address).await;
    let theirs = as_user(&address, &user);
    let error = refusal(&theirs).await;
    assert_eq!(error.kind, StoreErrorKind::Denied);
    let message = error.to_string();
    let grants = message.split("as the owner: ").nth(1).expect("it says what to grant").to_owned();
    run(&address, &grants).await;
    let store = open(&theirs).await;
    let version = stored(&store, "a", "one", When::Absent).await;
    stored(&store, "a", "two", When::Is(version)).await;
    assert_eq!(held(&open(&address).await, "a").await.as_deref(), Some("two"));
}

#[tokio::test]
async fn a_user_who_may_create_nothing_is_told_who_could() {
    let (address, _, user) = with_stranger().await;
    let error = refusal(&as_user(&address, &user)).await;
    assert_eq!(error.kind, StoreErrorKind::Denied);
    assert!(error.to_string().contains("AUTHORIZATION"), "{error}");
}

#[tokio::test]
async fn a_schema_that_was_made_for_a_user_is_laid_out_by_it() {
    let (address, name, user) = with_stranger().await;
    run(&address, &format!("CREATE SCHEMA {name} AUTHORIZATION {user}")).await;
    let store = open(&as_user(&address, &user)).await;
    stored(&store, "a", "one", When::Absent).await;
}

#[tokio::test]
async fn a_right_that_is_taken_away_while_open_is_named() {
    let (address, name, user) = with_stranger().await;
    run(&address, &format!("CREATE SCHEMA {name} AUTHORIZATION {user}")).await;
    let store = open(&as_user(&address, &user)).await;
    run(&address, &format!("REVOKE INSERT ON {name}.records FROM {user}")).await;
    let error = tenure::store::Store::put(&store, "a", "one".into(), When::Absent).await.unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Denied);
    assert!(error.to_string().contains(&format!("INSERT, UPDATE, DELETE ON {name}.records")), "{error}");
}

#[tokio::test]
async fn what_is_acknowledged_is_on_disk_whatever_the_server_prefers() {
    let server = Server::start().await;
    server.psql("ALTER SYSTEM SET synchronous_commit = off").await;
    server.psql("SELECT pg_reload_conf()").await;
    let store = open(&server.url()).await;
    stored(&store, "a", "one", When::Absent).await;
    let settings = "SELECT current_setting('synchronous_commit')";
    assert_eq!(server.psql(settings).await.trim(), "off", "the server's own default");
    // The log is flushed up to the write although no other session waits for it.
    let flushed =
        "SELECT pg_current_wal_flush_lsn() > split_part(version, '-', 2)::pg_lsn FROM tenure.records";
    assert_eq!(server.psql(flushed).await.trim(), "t");
}
