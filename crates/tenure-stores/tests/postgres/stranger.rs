//! Whoever may connect to the server may notify, and PostgreSQL asks for no right: what is told that way is never believed.

use std::time::Duration;

use futures_util::StreamExt;
use tenure::Member;
use tenure::clock::Clock;
use tenure::store::{Read, Store, Version, Versioned, When};
use tenure_stores::postgres::PostgresStore;
use tenure_testbed::postgres::Server;
use tokio_postgres::{Client, NoTls};

use crate::address::{as_user, held, open, stored, until};

/// The channel of the schema `tenure`.
const CHANNEL: &str = "tenure.tenure";

/// How long a hint is waited for before the change is told again.
const PATIENCE: Duration = Duration::from_millis(200);

/// A role that may connect, and nothing else.
pub(crate) struct Stranger(Client);

impl Stranger {
    pub(crate) async fn on(server: &Server) -> Self {
        server.psql("CREATE ROLE stranger LOGIN").await;
        Self::at(&as_user(&server.url(), "stranger")).await
    }

    async fn at(address: &str) -> Self {
        let (client, connection) = tokio_postgres::connect(address, NoTls).await.expect("it may connect");
        tokio::spawn(connection);
        let refused =
            client.batch_execute("SELECT * FROM tenure.records").await.expect_err("it may not read");
        assert_eq!(refused.code(), Some(&tokio_postgres::error::SqlState::INSUFFICIENT_PRIVILEGE));
        Self(client)
    }

    pub(crate) async fn says(&self, news: &str) {
        self.0.execute("SELECT pg_notify($1, $2)", &[&CHANNEL, &news]).await.expect("anybody may notify");
    }

    /// Forges what a writer of this record would tell.
    async fn forges(&self, key: &str, version: &str, value: &[u8]) {
        let hex: String = value.iter().map(|byte| format!("{byte:02x}")).collect();
        self.says(&format!("{key} {version} {hex}")).await;
    }
}

async fn joined(server: &Server, name: &str) -> Member {
    let store = open(&server.url()).await;
    Member::builder(store).cluster("orders").shards(8).member_id(name).start().await.expect("it joins")
}

async fn found(store: &PostgresStore, key: &str) -> Versioned {
    match store.get(key, None).await {
        Ok(Read::Found(record)) => record,
        other => panic!("{key} was not found: {other:?}"),
    }
}

/// The record with the fields of `other` in place of its own.
fn with(record: &[u8], other: serde_json::Value) -> Vec<u8> {
    let mut fields: serde_json::Value = serde_json::from_slice(record).expect("a record");
    for (name, value) in other.as_object().expect("fields") {
        fields[name] = value.clone();
    }
    serde_json::to_vec(&fields).expect("it can be written")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_departure_that_a_stranger_tells_of_moves_no_shard() {
    let server = Server::start().await;
    let (a, b) = (joined(&server, "a").await, joined(&server, "b").await);
    let both = |member: &Member| member.router().clone();
    both(&a).until(|routes| owners(routes) == ["a", "b"]).await;
    let (truth, stranger) = (open(&server.url()).await, Stranger::on(&server).await);
    let before = found(&truth, "orders/ledger/00000").await;
    let seq = |record: &Versioned| {
        serde_json::from_slice::<serde_json::Value>(&record.value).unwrap()["seq"].as_u64().unwrap()
    };
    // Told again and again, for as long as both renew twice more.
    let begun =
        (seq(&found(&truth, "orders/members/a").await), seq(&found(&truth, "orders/members/b").await));
    until("both renewed twice", async || {
        let record = found(&truth, "orders/members/a").await;
        let gone = with(&record.value, serde_json::json!({"state": "gone", "seq": seq(&record) + 1}));
        stranger.forges("orders/members/a", "1-0/1-forged", &gone).await;
        seq(&record) > begun.0 + 1 && seq(&found(&truth, "orders/members/b").await) > begun.1 + 1
    })
    .await;
    assert_eq!(found(&truth, "orders/ledger/00000").await, before, "no shard moved");
    a.leave().await.unwrap();
    b.leave().await.unwrap();
}

/// The owners of all shards, each once; none while a shard has no owner.
fn owners(routes: &[tenure::Route]) -> Vec<String> {
    if routes.iter().any(|route| route.owner.is_none()) {
        return Vec::new();
    }
    let mut names: Vec<String> =
        routes.iter().flat_map(|route| &route.owner).map(ToString::to_string).collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_of_the_log_that_a_stranger_tells_of_was_not_seen() {
    let server = Server::start().await;
    let (store, stranger) = (open(&server.url()).await, Stranger::on(&server).await);
    stored(&store, "a", "one", When::Absent).await;
    let mut hints = store.watch("");
    hints.next().await.expect("it listens");
    let version = Version::new("1-FFFFFFFF/FFFFFFFF-x");
    stranger.forges("a", version.as_str(), b"two").await;
    stored(&store, "b", "heard after it", When::Absent).await;
    while hints.next().await.expect("a hint").key.as_deref() != Some("b") {}
    server
        .psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tenure'")
        .await;
    until("the store answers", async || store.get("a", None).await.is_ok()).await;
    assert_eq!(held(&store, "a").await.as_deref(), Some("one"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_is_not_taken_for_hints_and_calls_and_hints_go_on_after_it() {
    let server = Server::start().await;
    let (store, stranger) = (open(&server.url()).await, Stranger::on(&server).await);
    let mut hints = store.watch("");
    hints.next().await.expect("it listens");
    let flood = format!(
        "SELECT count(pg_notify('{CHANNEL}', n::text || repeat('x', 1000))) FROM generate_series(1, 30000) n"
    );
    for _ in 0..3 {
        stranger.0.batch_execute(&flood).await.expect("anybody may flood");
    }
    until("the store answers", async || store.get("b", None).await.is_ok()).await;
    let (mut heard, mut last) = (0, None);
    // It rests, and then listens again.
    until("it hears again", async || {
        let when = last.take().map_or(When::Absent, When::Is);
        last = Some(stored(&store, "b", "news", when).await);
        while let Ok(hint) = Clock::boot().timeout(PATIENCE, hints.next()).await {
            heard += 1;
            if hint.expect("hints do not end").key.as_deref() == Some("b") {
                return true;
            }
        }
        false
    })
    .await;
    assert!(heard < 30_000, "{heard} of 90000 were taken for hints");
}
