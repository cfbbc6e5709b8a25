//! An onlooker who means harm: he may read every record of a fleet, forges what they say, and may write none of them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};
use tenure::clock::Clock;
use tenure::store::{Entry, Removed, SharedStore, StoreError, StoreErrorKind, When, Written};
use tokio::runtime::Handle;
use tokio::task::AbortHandle;

use super::Blow;

/// The pause between two rounds of deeds.
const PAUSE: Duration = Duration::from_millis(20);

/// What became of his deeds.
#[derive(Debug, Default)]
struct Deeds {
    refused: usize,
    done: Vec<String>,
}

/// What became of all that he tried.
#[derive(Clone, Debug, Default)]
pub struct Tally(Arc<Mutex<Deeds>>);

impl Tally {
    /// Nothing that he tried was done, and much was refused.
    ///
    /// # Panics
    /// If it was otherwise.
    pub fn prove(&self) {
        let deeds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        println!("{} deeds of an intruder were refused", deeds.refused);
        assert_eq!(deeds.done, Vec::<String>::new(), "an intruder may not do that");
        assert!(deeds.refused > 0, "he was never refused anything, so he tried nothing");
    }

    /// A store that is out of reach refuses nothing, nor does one whose record has changed meanwhile.
    fn note(&self, what: String, came: Result<bool, StoreError>) {
        let mut deeds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match came {
            Ok(true) => deeds.done.push(what),
            Err(error) if error.kind == StoreErrorKind::Denied => deeds.refused += 1,
            Ok(false) | Err(_) => {}
        }
    }
}

/// The intruder, who has an address of his own.
#[derive(Debug)]
pub struct Intruder {
    runtime: Handle,
    address: String,
    tally: Tally,
    busy: Option<AbortHandle>,
}

impl Intruder {
    /// Somebody who reads the store at `address` with rights that allow no more.
    pub fn at(runtime: &Handle, address: String) -> Self {
        Self { runtime: runtime.clone(), address, tally: Tally::default(), busy: None }
    }

    /// What will have become of his deeds.
    pub fn tally(&self) -> Tally {
        self.tally.clone()
    }
}

impl Blow for Intruder {
    fn strike(&mut self) {
        let intruding = intrude(self.address.clone(), self.tally.clone());
        self.busy = Some(self.runtime.spawn(intruding).abort_handle());
    }

    fn heal(&mut self) {
        if let Some(busy) = self.busy.take() {
            busy.abort();
        }
    }
}

impl Drop for Intruder {
    fn drop(&mut self) {
        self.heal();
    }
}

async fn intrude(address: String, tally: Tally) {
    loop {
        // Servers are frozen and killed meanwhile.
        if let Ok(store) = tenure_stores::open_existing(&address).await {
            let _hints = store.watch("");
            for entry in store.list("").await.unwrap_or_default() {
                harm(&store, &entry, &tally).await;
            }
        }
        Clock::boot().sleep(PAUSE).await;
    }
}

/// Says in the author's name that it has gone, in just the words and over just the version that a store would take.
async fn harm(store: &SharedStore, entry: &Entry, tally: &Tally) {
    let (key, version) = (&entry.key, entry.record.version.clone());
    let forged: Bytes = forged(&entry.record.value).into();
    let replaced = store.put(key, forged.clone(), When::Is(version.clone())).await;
    tally.note(format!("{key} was replaced"), replaced.map(|came| came != Written::Conflict));
    let made = store.put(&format!("{key}-x"), forged, When::Absent).await;
    tally.note(format!("{key}-x was made"), made.map(|came| came != Written::Conflict));
    let removed = store.delete(key, &version).await;
    tally.note(format!("{key} was removed"), removed.map(|came| came == Removed::Deleted));
}

fn forged(record: &[u8]) -> Vec<u8> {
    let mut fields: Value = serde_json::from_slice(record).unwrap_or_default();
    for field in ["seq", "generation"] {
        if let Some(number) = fields[field].as_u64() {
            fields[field] = json!(number + 1);
        }
    }
    fields["state"] = json!("gone");
    fields.to_string().into_bytes()
}
