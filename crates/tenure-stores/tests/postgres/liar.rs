//! A stranger who listens to all that members tell each other, as anybody may, and answers each word by lies about its author.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tenure::clock::Clock;
use tenure_bed::postgres::Server;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio_postgres::{AsyncMessage, Client, NoTls, Notification};

use crate::address::as_user;

/// How much is made up besides each lie.
const NOISE: usize = 20;

/// The stranger, who lies for as long as the runtime lives.
pub(crate) struct Liar(Arc<AtomicU64>);

impl Liar {
    /// Lies to the members of a store in the schema `tenure`.
    pub(crate) fn on(runtime: &Runtime, server: &Server) -> Self {
        runtime.block_on(server.psql("CREATE ROLE stranger LOGIN"));
        let (told, address) = (Arc::new(AtomicU64::new(0)), as_user(&server.url(), "stranger"));
        runtime.spawn(lie(address, Arc::clone(&told)));
        Self(told)
    }

    /// How many lies were told.
    pub(crate) fn lies(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

async fn lie(address: String, told: Arc<AtomicU64>) {
    loop {
        // The server is killed now and then; so it begins anew.
        if let Ok((client, news)) = listening(&address).await {
            answer(&client, news, &told).await;
        }
        Clock::boot().sleep(Duration::from_millis(100)).await;
    }
}

async fn listening(
    address: &str,
) -> Result<(Client, mpsc::UnboundedReceiver<Notification>), tokio_postgres::Error> {
    let (client, mut connection) = tokio_postgres::connect(address, NoTls).await?;
    let (heard, news) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Some(Ok(message)) = poll_fn(|cx| connection.poll_message(cx)).await {
            if let AsyncMessage::Notification(told) = message {
                let _ = heard.send(told);
            }
        }
    });
    client.batch_execute("LISTEN \"tenure.tenure\"").await?;
    Ok((client, news))
}

async fn answer(client: &Client, mut news: mpsc::UnboundedReceiver<Notification>, told: &AtomicU64) {
    let Ok(row) = client.query_one("SELECT pg_backend_pid()", &[]).await else { return };
    let own: i32 = row.get(0);
    while let Some(heard) = news.recv().await {
        for lie in if heard.process_id() == own { Vec::new() } else { lies_about(heard.payload()) } {
            if client.execute("SELECT pg_notify('tenure.tenure', $1)", &[&lie]).await.is_err() {
                return;
            }
            told.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// That it has gone, was deposed, lives again, or gave everything back; and much that makes no sense.
fn lies_about(news: &str) -> Vec<String> {
    let key = news.split(' ').next().unwrap_or_default();
    let mut lies: Vec<String> =
        (0..NOISE).map(|number| format!("{key}{number} 1-FFFFFFFF/0-x 7b7d")).collect();
    lies.extend([String::new(), key.into(), format!("{key} 1-FFFFFFFF/FFFFFFFF-x zz")]);
    let Some(record) = news.split(' ').nth(2).and_then(read) else { return lies };
    let number = |field: &str| record[field].as_u64().unwrap_or_default();
    let all: Vec<[u64; 2]> = (0..64).flat_map(|shard| (1..200).map(move |epoch| [shard, epoch])).collect();
    for changed in [
        json!({"state": "gone", "seq": number("seq") + 1}),
        json!({"state": "deposed", "seq": number("seq") + 1}),
        json!({"term": number("term") + 1}),
        json!({"seq": number("seq") + 1_000_000}),
        json!({"released": &all[..150], "seq": number("seq") + 1}),
    ] {
        lies.push(format!("{key} 1-FFFFFFFF/FFFFFFFF-7-forged {}", written(&record, &changed)));
    }
    lies
}

fn read(hex: &str) -> Option<Value> {
    let digit = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(digit).collect();
    serde_json::from_slice(&bytes?).ok()
}

fn written(record: &Value, changed: &Value) -> String {
    let mut forged = record.clone();
    for (name, value) in changed.as_object().into_iter().flatten() {
        forged[name] = value.clone();
    }
    forged.to_string().bytes().map(|byte| format!("{byte:02x}")).collect()
}
