//! One of many who call at once: draws what to call next, and notes what came back.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tenure_core::entropy::Entropy;

use super::history::{Call, Content, Effect, History, Sight, Ticks};
use super::plan::Breach;
use crate::clock::Clock;
use crate::store::{
    Entry, Read, Removed, SharedStore, StoreError, StoreErrorKind, Version, Versioned, When, Written,
};

/// A store that is unavailable this often in a row is not one that can be tested.
const TRIES: usize = 100;
const PAUSE: Duration = Duration::from_millis(20);

/// What all callers share: the keys, the time, and a number for each content.
#[derive(Debug)]
pub(super) struct Board {
    prefix: String,
    keys: Vec<String>,
    ticks: Ticks,
    contents: Ticks,
}

impl Board {
    pub(super) fn new(prefix: &str, keys: usize) -> Self {
        let prefix = format!("{prefix}soak/");
        let keys = (0..keys).map(|number| format!("{prefix}{number}")).collect();
        Self { prefix, keys, ticks: Ticks::default(), contents: Ticks::default() }
    }
}

/// A caller, with what it knows and what it noted.
#[derive(Debug)]
pub(super) struct Caller {
    store: SharedStore,
    board: Arc<Board>,
    dice: Entropy,
    known: BTreeMap<String, Version>,
    noted: BTreeMap<String, History>,
    removes: bool,
    made: usize,
    failed: usize,
}

/// What became of a call.
enum Answer<T> {
    Told(T),
    Unknown,
    Nothing,
}

impl Caller {
    pub(super) fn new(store: SharedStore, board: Arc<Board>, seed: u128) -> Self {
        let (known, noted) = (BTreeMap::new(), BTreeMap::new());
        Self { store, board, dice: Entropy::new(seed), known, noted, removes: true, made: 0, failed: 0 }
    }

    /// Makes that many calls, or one more.
    pub(super) async fn call(mut self, calls: usize) -> Result<BTreeMap<String, History>, Breach> {
        while self.made < calls {
            self.act().await?;
        }
        Ok(self.noted)
    }

    /// Reads every key once.
    pub(super) async fn read_all(mut self) -> Result<BTreeMap<String, History>, Breach> {
        for key in self.board.keys.clone() {
            self.get(&key, None).await?;
        }
        Ok(self.noted)
    }

    /// Mostly a key is read and written at once; now and then written by what is known of it, which has often changed since.
    async fn act(&mut self) -> Result<(), Breach> {
        let bits = self.dice.bits();
        let key = self.board.keys[(bits >> 64) as usize % self.board.keys.len()].clone();
        let choice = bits % 100;
        match choice {
            0..70 => self.get(&key, self.known.get(&key).cloned()).await?,
            70..80 => {}
            80..85 => return self.list(&key).await,
            _ => return self.get(&key, None).await,
        }
        match self.known.get(&key).cloned() {
            Some(version) if self.removes && choice.is_multiple_of(8) => self.delete(&key, version).await,
            known => self.put(&key, known).await,
        }
    }

    async fn put(&mut self, key: &str, over: Option<Version>) -> Result<(), Breach> {
        let content = self.board.contents.next();
        let when = over.clone().map_or(When::Absent, When::Is);
        let begun = self.begin().await;
        let written = self.store.put(key, bytes_of(content), when).await;
        let effect = Effect::Put { content, over };
        match self.answer(key, written)? {
            Answer::Told(Written::Stored(version)) => {
                self.note(key, effect, begun, true);
                self.see(key, Versioned { version: version.clone(), value: bytes_of(content) });
                self.known.insert(key.to_owned(), version);
            }
            Answer::Told(Written::Conflict) | Answer::Nothing => self.history(key).refused.push(content),
            Answer::Unknown => self.note(key, effect, begun, false),
        }
        Ok(())
    }

    async fn delete(&mut self, key: &str, version: Version) -> Result<(), Breach> {
        let begun = self.begin().await;
        let removed = self.store.delete(key, &version).await;
        let effect = Effect::Delete { version };
        match self.answer(key, removed)? {
            Answer::Told(Removed::Deleted) => {
                self.note(key, effect, begun, true);
                self.known.remove(key);
            }
            Answer::Told(Removed::Conflict) | Answer::Nothing => {}
            Answer::Told(Removed::Unsupported) => self.removes = false,
            Answer::Unknown => self.note(key, effect, begun, false),
        }
        Ok(())
    }

    async fn get(&mut self, key: &str, unless: Option<Version>) -> Result<(), Breach> {
        let begun = self.begin().await;
        let read = self.store.get(key, unless.as_ref()).await;
        let shown = match (self.answer(key, read)?, unless) {
            (Answer::Told(Read::Found(record)), _) => Some(self.see(key, record)),
            (Answer::Told(Read::Absent), _) => None,
            (Answer::Told(Read::Unchanged), Some(unless)) => Some(unless),
            (Answer::Told(Read::Unchanged), None) => {
                return Err(Breach::of(key, "a read that named no version was answered by Unchanged"));
            }
            (Answer::Unknown | Answer::Nothing, _) => return Ok(()),
        };
        match &shown {
            Some(version) => self.known.insert(key.to_owned(), version.clone()),
            None => self.known.remove(key),
        };
        self.note(key, Effect::Get { shown }, begun, true);
        Ok(())
    }

    /// A listing may be old, but whatever it shows was there once.
    async fn list(&mut self, key: &str) -> Result<(), Breach> {
        let entries = self.store.list(&self.board.prefix).await;
        if let Answer::Told(entries) = self.answer(key, entries)? {
            for Entry { key, record } in entries {
                self.see(&key, record);
            }
        }
        Ok(())
    }

    /// Lets others come first, for a store that answers at once would have its callers come one after the other; and one that is in
    /// trouble rest.
    async fn begin(&self) -> u64 {
        match self.failed {
            0 => tokio::task::yield_now().await,
            _ => Clock::boot().sleep(PAUSE).await,
        }
        self.board.ticks.next()
    }

    fn answer<T>(&mut self, key: &str, answer: Result<T, StoreError>) -> Result<Answer<T>, Breach> {
        self.made += 1;
        let error = match answer {
            Ok(answer) => {
                self.failed = 0;
                return Ok(Answer::Told(answer));
            }
            Err(error) => error,
        };
        self.failed += 1;
        match error.kind {
            StoreErrorKind::Unavailable | StoreErrorKind::Indeterminate if self.failed >= TRIES => {
                Err(Breach::of(key, format!("{TRIES} calls in a row failed, the last one so: {error}")))
            }
            StoreErrorKind::Unavailable => Ok(Answer::Nothing),
            StoreErrorKind::Indeterminate => Ok(Answer::Unknown),
            StoreErrorKind::Denied | StoreErrorKind::Invalid | StoreErrorKind::Incompatible => {
                Err(Breach::of(key, format!("{error} ({:?}, caused by {:?})", error.kind, error.source)))
            }
        }
    }

    fn note(&mut self, key: &str, effect: Effect, begun: u64, is_known: bool) {
        let ended = is_known.then(|| self.board.ticks.next());
        self.history(key).calls.push(Call { effect, begun, ended });
    }

    fn see(&mut self, key: &str, record: Versioned) -> Version {
        let sight = Sight { version: record.version.clone(), content: content_of(&record.value) };
        self.history(key).sights.push(sight);
        record.version
    }

    fn history(&mut self, key: &str) -> &mut History {
        self.noted.entry(key.to_owned()).or_default()
    }
}

/// A content by its number; they differ in length too, so that a mixture of two is none.
fn bytes_of(content: Content) -> Bytes {
    let filling = "x".repeat(usize::try_from(content % 97).unwrap_or_default());
    Bytes::from(format!("{content} {filling}"))
}

fn content_of(bytes: &Bytes) -> Option<Content> {
    let text = std::str::from_utf8(bytes).ok()?;
    let content = text.split_once(' ')?.0.parse().ok()?;
    (bytes_of(content) == bytes).then_some(content)
}
