//! A stranger who listens to all that members tell each other, as anybody may, and answers each word by lies about its author; and
//! one who says so much that nobody is heard.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tenure::clock::Clock;
use tenure_testbed::postgres::Server;
use tokio::runtime::{Handle, Runtime};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio_postgres::{AsyncMessage, Client, NoTls, Notification};

use crate::address::as_user;
use crate::fleet::Blow;

/// How much is made up besides each lie.
const NOISE: usize = 20;

/// So much is said at once that nobody listens any longer, and the pause after it.
const FLOOD: &str =
    "SELECT count(pg_notify('tenure.tenure', n::text || repeat('x', 1000))) FROM generate_series(1, 20000) n";
const LULL: Duration = Duration::from_millis(500);

/// The stranger, who lies or floods for as long as it is struck.
pub(crate) struct Liar {
    runtime: Handle,
    address: String,
    manner: Manner,
    told: Told,
    busy: Option<AbortHandle>,
}

/// What the stranger does.
#[derive(Clone, Copy, Debug)]
enum Manner {
    Lie,
    Flood,
}

/// How often it was done.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told(Arc<AtomicU64>);

impl Told {
    pub(crate) fn times(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn once_more(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Liar {
    /// One who lies to the members of a store in the schema `tenure`, and one who floods them.
    pub(crate) fn both(runtime: &Runtime, server: &Server) -> [Self; 2] {
        runtime.block_on(server.psql("CREATE ROLE stranger LOGIN"));
        [Manner::Lie, Manner::Flood].map(|manner| {
            let (runtime, address) = (runtime.handle().clone(), as_user(&server.url(), "stranger"));
            Self { runtime, address, manner, told: Told::default(), busy: None }
        })
    }

    /// How often it will have been done.
    pub(crate) fn told(&self) -> Told {
        self.told.clone()
    }
}

impl Blow for Liar {
    fn strike(&mut self) {
        let (address, told) = (self.address.clone(), self.told.clone());
        let busy = match self.manner {
            Manner::Lie => self.runtime.spawn(lie(address, told)),
            Manner::Flood => self.runtime.spawn(flood(address, told)),
        };
        self.busy = Some(busy.abort_handle());
    }

    fn heal(&mut self) {
        if let Some(busy) = self.busy.take() {
            busy.abort();
        }
    }
}

async fn flood(address: String, told: Told) {
    loop {
        if let Ok((client, connection)) = tokio_postgres::connect(&address, NoTls).await {
            tokio::spawn(connection);
            while client.batch_execute(FLOOD).await.is_ok() {
                told.once_more();
                Clock::boot().sleep(LULL).await;
            }
        }
        Clock::boot().sleep(Duration::from_millis(100)).await;
    }
}

async fn lie(address: String, told: Told) {
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

async fn answer(client: &Client, mut news: mpsc::UnboundedReceiver<Notification>, told: &Told) {
    let Ok(row) = client.query_one("SELECT pg_backend_pid()", &[]).await else { return };
    let own: i32 = row.get(0);
    while let Some(heard) = news.recv().await {
        for lie in if heard.process_id() == own { Vec::new() } else { lies_about(heard.payload()) } {
            if client.execute("SELECT pg_notify('tenure.tenure', $1)", &[&lie]).await.is_err() {
                return;
            }
            told.once_more();
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
