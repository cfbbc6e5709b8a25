//! What others change, by etcd's watch.
//!
//! A watch that breaks is opened again where it broke off, on the endpoint whose turn it is, so that nothing is missed. If
//! etcd has forgotten that revision, whoever listens is told to look at everything.
//!
//! It begins at what this handle saw last: whatever changes after `watch` is told, however long the opening takes.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use tenure::store::{Hint, Versioned};
use tonic::Code;

use super::circle::Turn;
use super::client::Client;
use super::line::{Break, Line};
use super::message::{Event, EventKind, WatchCreate, WatchResponse};
use super::range::{Root, after, version_of};
use super::refusal::{Mishap, Obstacle, Refusal, refusal};

/// More changes than this at once are told as "something changed".
const NAMED_MAX: usize = 128;

const PAUSE_FIRST: Duration = Duration::from_millis(50);
const PAUSE_MAX: Duration = Duration::from_secs(2);

/// Hints about everything under `prefix`, until dropped.
pub(super) fn watch(client: Arc<Client>, prefix: &str) -> BoxStream<'static, Hint> {
    let first = client.root.path(prefix);
    let next = following(client.sight.revision());
    let watcher = Watcher { client, first, next, line: None, hints: VecDeque::new(), pause: PAUSE_FIRST };
    stream::unfold(watcher, |mut watcher| async move { Some((watcher.hint().await, watcher)) }).boxed()
}

struct Watcher {
    client: Arc<Client>,
    first: Bytes,
    /// The first revision that has not been told of.
    next: i64,
    line: Option<Line>,
    hints: VecDeque<Hint>,
    pause: Duration,
}

impl Watcher {
    async fn hint(&mut self) -> Hint {
        // Ends with the first change; until then the watch is opened again whenever it breaks.
        loop {
            if let Some(hint) = self.hints.pop_front() {
                return hint;
            }
            match self.line.take() {
                Some(line) => self.listen(line).await,
                None => self.open().await,
            }
        }
    }

    async fn open(&mut self) {
        let create = WatchCreate {
            key: self.first.clone(),
            range_end: after(&self.first),
            start_revision: self.next,
            progress_notify: true,
            fragment: true,
        };
        let turn = self.client.circle.turn();
        match Line::open(&self.client, turn, create).await {
            Ok(line) => self.line = Some(line),
            Err(mishap) => self.recover(turn, mishap).await,
        }
    }

    async fn listen(&mut self, mut line: Line) {
        let turn = line.turn();
        match line.next(&self.client).await {
            Ok(answer) => match self.take_in(answer).await {
                Ok(Goes::On) => self.line = Some(line),
                Ok(Goes::Anew) => {}
                Err(mishap) => self.recover(turn, mishap).await,
            },
            Err(Break::Moved) => {}
            Err(Break::Failed(mishap)) => self.recover(turn, mishap).await,
        }
    }

    async fn take_in(&mut self, answer: WatchResponse) -> Result<Goes, Mishap> {
        let header = answer.header.unwrap_or_default();
        self.client.sight.recognise(header.cluster_id).map_err(Mishap::Estranged)?;
        self.pause = PAUSE_FIRST;
        if answer.compact_revision > 0 {
            self.next = following(header.revision.max(answer.compact_revision));
            self.hints.push_back(Hint::anything());
            return Ok(Goes::Anew);
        }
        if answer.canceled {
            return Err(cancelled(&answer.cancel_reason));
        }
        let newest = answer.events.last().and_then(|event| event.kv.as_ref()).map(|kv| kv.mod_revision);
        self.tell(answer.events).await;
        if let Some(newest) = newest.filter(|_| !answer.fragment) {
            self.next = following(newest);
        }
        Ok(Goes::On)
    }

    async fn tell(&mut self, events: Vec<Event>) {
        if events.len() > NAMED_MAX {
            return self.hints.push_back(Hint::anything());
        }
        for event in events {
            let Some(kv) = &event.kv else { continue };
            let own = self.client.own.wrote(&kv.key, kv.mod_revision);
            // A write of ours that takes longer has been given up, or nobody looks after it.
            if !self.client.clock.timeout(self.client.patience, own).await.unwrap_or(false) {
                self.hints.push_back(hint_of(event, &self.client.root));
            }
        }
    }

    /// Leaves the endpoint if it is to blame, and waits a little before the next try.
    async fn recover(&mut self, turn: Turn, mishap: Mishap) {
        tracing::debug!(endpoint = self.client.circle.endpoint(turn).name(), ?mishap, "the watch broke");
        match mishap {
            Mishap::NotSent(_) | Mishap::Unanswered(_) => self.client.circle.abandon(turn),
            Mishap::Refused(Refusal::NotHere(_)) | Mishap::Estranged(_) => self.client.circle.leave(turn),
            // Where it can't, calls fail in the same way and say so.
            Mishap::Refused(refusal) => drop(self.client.may_renew(&refusal)),
        }
        let jittered = self.pause.mul_f64(0.5 + fastrand::f64() / 2.0);
        self.client.clock.sleep(jittered).await;
        self.pause = (self.pause * 2).min(PAUSE_MAX);
    }
}

/// The revision to go on from. What comes over a wire may be any number; there is none behind the last.
fn following(revision: i64) -> i64 {
    revision.saturating_add(1)
}

/// A write brings what it wrote; of a removal only the key is told.
fn hint_of(event: Event, root: &Root) -> Hint {
    let removed = event.kind() == EventKind::Delete;
    let kv = event.kv.unwrap_or_default();
    match root.key(&kv.key).map(Hint::of) {
        Some(hint) if removed => hint,
        Some(hint) => hint.with(Versioned { version: version_of(kv.mod_revision), value: kv.value }),
        None => Hint::anything(),
    }
}

/// Whether a watch goes on after an answer.
enum Goes {
    On,
    Anew,
}

fn cancelled(reason: &str) -> Mishap {
    match refusal(Code::Unknown, reason) {
        Some(refusal) => Mishap::Refused(refusal),
        None => Mishap::Unanswered(Obstacle::passing(format!("etcd cancelled the watch: {reason}"))),
    }
}

#[cfg(test)]
#[path = "fuzz_tests.rs"]
mod fuzz_tests;
