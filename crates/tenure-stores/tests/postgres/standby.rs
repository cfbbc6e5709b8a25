//! Real fail-overs: a primary, a standby that follows it without being waited for, and a promotion.

use std::time::Duration;

use futures_util::StreamExt;
use tenure::clock::Clock;
use tenure::store::{Hint, Store, StoreErrorKind, When, Written};
use tenure_stores::postgres::PostgresStore;
use tenure_testbed::postgres::Server;

use crate::address::{held, open, refusal, stored, until};

/// A primary and its standby, with a store that knows both.
struct Pair {
    primary: Server,
    standby: Server,
    address: String,
}

impl Pair {
    async fn start() -> Self {
        let primary = Server::start().await;
        open(&primary.url()).await;
        let standby = primary.standby().await;
        let ports = (primary.port(), standby.port());
        let address = format!("postgres://postgres@127.0.0.1:{},127.0.0.1:{}/tenure", ports.0, ports.1);
        Self { primary, standby, address }
    }

    /// The standby has everything that the primary has.
    async fn caught_up(&self) {
        let reached = self.primary.psql("SELECT pg_current_wal_lsn()").await;
        let behind = format!("SELECT pg_last_wal_replay_lsn() >= '{}'", reached.trim());
        until("the standby has caught up", async || self.standby.psql(&behind).await.trim() == "t").await;
    }

    /// From now on the standby hears nothing of its primary.
    async fn part(&self) {
        self.standby.psql("ALTER SYSTEM SET primary_conninfo = ''").await;
        self.standby.psql("SELECT pg_reload_conf()").await;
        let senders = "SELECT count(*) FROM pg_stat_replication";
        until("the standby has gone", async || self.primary.psql(senders).await.trim() == "0").await;
    }

    async fn promote(&mut self) {
        self.primary.kill();
        self.standby.psql("SELECT pg_promote()").await;
    }
}

async fn answers(store: &PostgresStore) {
    until("the store answers", async || store.get("a", None).await.is_ok()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_standby_alone_is_refused() {
    let pair = Pair::start().await;
    let error = refusal(&pair.standby.url()).await;
    assert_eq!(error.kind, StoreErrorKind::Unavailable);
    assert!(error.to_string().contains("is a standby; name the primary"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_primary_is_found_wherever_it_stands_in_the_address() {
    let pair = Pair::start().await;
    let (first, second) = (pair.primary.port(), pair.standby.port());
    let turned = format!("postgres://postgres@127.0.0.1:{second},127.0.0.1:{first}/tenure");
    stored(&open(&turned).await, "a", "one", When::Absent).await;
    assert_eq!(held(&open(&pair.address).await, "a").await.as_deref(), Some("one"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fail_over_without_loss_is_gone_through_and_told() {
    let mut pair = Pair::start().await;
    let store = open(&pair.address).await;
    let version = stored(&store, "a", "one", When::Absent).await;
    pair.caught_up().await;
    pair.promote().await;
    answers(&store).await;
    let newer = stored(&store, "a", "two", When::Is(version.clone())).await;
    assert!(version.as_str().starts_with("1-") && newer.as_str().starts_with("2-"), "{version:?} {newer:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_fail_over_one_looks_at_everything() {
    let mut pair = Pair::start().await;
    let store = open(&pair.address).await;
    stored(&store, "a", "one", When::Absent).await;
    let mut hints = store.watch("");
    assert_eq!(hints.next().await, Some(Hint::anything()), "it listens");
    pair.caught_up().await;
    pair.promote().await;
    answers(&store).await;
    assert_eq!(hints.next().await, Some(Hint::anything()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fail_over_that_lost_a_write_ends_the_handles_that_know_of_it_and_no_version_comes_back() {
    let mut pair = Pair::start().await;
    let (writer, reader, ignorant) =
        (open(&pair.address).await, open(&pair.address).await, open(&pair.address).await);
    let kept = stored(&writer, "a", "kept", When::Absent).await;
    assert_eq!(held(&ignorant, "a").await.as_deref(), Some("kept"));
    pair.caught_up().await;
    pair.part().await;
    let lost = stored(&writer, "a", "lost", When::Is(kept.clone())).await;
    assert_eq!(held(&reader, "a").await.as_deref(), Some("lost"));
    pair.promote().await;

    // Whoever acted on the lost write must not go on, for it never happened; and it stays so.
    for store in [&writer, &reader] {
        until("the loss is noticed", async || {
            store.get("a", None).await.is_err_and(|error| error.kind == StoreErrorKind::Incompatible)
        })
        .await;
        let error = store.put("b", "on".into(), When::Absent).await.unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Incompatible);
        assert!(error.to_string().contains("lost acknowledged writes"), "{error}");
    }
    // Whoever did not see it goes on.
    answers(&ignorant).await;
    assert_eq!(ignorant.put("a", "x".into(), When::Is(lost.clone())).await.unwrap(), Written::Conflict);
    let again = stored(&ignorant, "a", "again", When::Is(kept.clone())).await;
    assert!(again != lost && again != kept);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_primary_of_the_past_that_comes_back_is_not_gone_back_to() {
    let mut pair = Pair::start().await;
    let store = open(&pair.address).await;
    let version = stored(&store, "a", "one", When::Absent).await;
    pair.caught_up().await;
    pair.promote().await;
    answers(&store).await;
    stored(&store, "a", "two", When::Is(version)).await;
    // It is named first, and takes writes like any primary.
    pair.primary.restart().await;
    pair.standby
        .psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tenure'")
        .await;
    answers(&store).await;
    assert_eq!(held(&store, "a").await.as_deref(), Some("two"));
    pair.standby.kill();
    until("the loss is noticed", async || store.get("a", None).await.is_err()).await;
    let error = store.get("a", None).await.unwrap_err();
    assert!(error.to_string().contains("is a former primary (timeline 1, and 2 was seen)"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_that_call_themselves_the_primary_the_newer_is() {
    let mut pair = Pair::start().await;
    stored(&open(&pair.address).await, "a", "one", When::Absent).await;
    pair.caught_up().await;
    pair.promote().await;
    pair.primary.restart().await;
    // Newcomers know neither; and the former one stands first in the address.
    for number in 0..8 {
        let newcomer = open(&pair.address).await;
        let version = stored(&newcomer, &format!("b/{number}"), "two", When::Absent).await;
        assert!(version.as_str().starts_with("2-"), "{version:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_machine_in_the_address_is_no_matter() {
    // It takes connections, and says nothing.
    let dead = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let server = Server::start().await;
    let (silent, port) = (dead.local_addr().unwrap(), server.port());
    let store =
        open(&format!("postgres://postgres@{silent},127.0.0.1:{port}/tenure?connect_timeout=600")).await;
    stored(&store, "a", "one", When::Absent).await;
}

/// Two servers that have nothing to do with each other, and an address that names both.
async fn strangers() -> (Server, Server, String) {
    let (first, second) = (Server::start().await, Server::start().await);
    let ports = (first.port(), second.port());
    (first, second, format!("postgres://postgres@127.0.0.1:{},127.0.0.1:{}/tenure", ports.0, ports.1))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_of_two_clusters_is_refused() {
    let (_first, _second, address) = strangers().await;
    let error = refusal(&address).await;
    assert_eq!(error.kind, StoreErrorKind::Invalid, "{error}");
    assert!(error.to_string().contains("two different clusters"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_server_under_the_same_address_is_refused() {
    let (mut first, mut second, address) = strangers().await;
    second.kill();
    let store = open(&address).await;
    first.kill();
    second.restart().await;
    until("it is noticed", async || store.get("a", None).await.is_err()).await;
    let error = store.get("a", None).await.unwrap_err();
    assert!(error.to_string().contains("is another server than before"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn hints_are_not_had_from_a_primary_of_the_past() {
    let mut pair = Pair::start().await;
    let store = open(&pair.address).await;
    let mut hints = store.watch("");
    assert_eq!(hints.next().await, Some(Hint::anything()), "it listens from now on");
    pair.caught_up().await;
    pair.promote().await;
    answers(&store).await;
    pair.standby.kill();
    pair.primary.restart().await;
    for _ in 0..20 {
        let error = store.get("a", None).await.unwrap_err();
        assert!(error.to_string().contains("is a former primary"), "{error}");
        let listening = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'";
        assert_eq!(pair.primary.psql(listening).await.trim(), "0");
        Clock::boot().sleep(Duration::from_millis(50)).await;
    }
}
