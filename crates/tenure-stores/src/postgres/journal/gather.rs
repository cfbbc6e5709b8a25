//! Appends of all journals go together: whatever waits while the last statement is under way makes up the next one.
//!
//! A commit waits for the server's disk, so what counts is how many appends share one. One statement holds at most one append of each
//! journal, for it changes each fence once; the next of the same journal follows in the next statement, which is sent before the first
//! is answered.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use tenure::journal::{Author, Entry, Place, Seq};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;

use super::room::JournalRoom;
use crate::postgres::error::Trouble;

/// How many statements are under way: one that is being committed, one that is there as soon as it is.
const UNDER_WAY: usize = 2;
/// How many appends go into one statement.
const APPENDS_MAX: usize = 512;
/// How many bytes of bodies; at least one append goes.
const BYTES_MAX: usize = 4 << 20;

/// An append that waits.
#[derive(Debug)]
pub(super) struct Append {
    pub(super) place: Place,
    pub(super) author: Author,
    /// The number of the author's fence.
    pub(super) opened: Seq,
    pub(super) entry: Entry,
    /// Whether it was sent before, and failed: another one is not to fail with it again, whatever holds its row.
    pub(super) again: bool,
    /// Whether the fence let it in.
    pub(super) reply: oneshot::Sender<Result<bool, Trouble>>,
}

impl Append {
    fn bytes(&self) -> usize {
        self.entry.records.iter().map(|record| record.body.len()).sum()
    }
}

/// Sends what comes in, until nobody can send any more.
pub(super) async fn serve(room: Arc<JournalRoom>, mut inbox: mpsc::UnboundedReceiver<Append>) {
    let (mut waiting, mut arrived, mut under_way) = (Waiting::default(), Vec::new(), JoinSet::new());
    loop {
        while under_way.len() < UNDER_WAY && !waiting.0.is_empty() {
            let (room, batch) = (Arc::clone(&room), waiting.batch());
            // Tasks of one thread begin in the order in which they were made: so do the statements.
            under_way.spawn(async move { room.append(batch).await });
        }
        tokio::select! {
            biased;
            Some(_) = under_way.join_next() => {}
            count = inbox.recv_many(&mut arrived, APPENDS_MAX) => match count {
                0 => return,
                _ => waiting.0.extend(arrived.drain(..)),
            },
        }
    }
}

/// Appends in the order in which they came.
#[derive(Debug, Default)]
struct Waiting(VecDeque<Append>);

impl Waiting {
    /// What goes into the next statement: the first of each journal.
    fn batch(&mut self) -> Vec<Append> {
        let (mut batch, mut places, mut bytes) = (Vec::new(), HashSet::new(), 0);
        let (mut rest, mut alone) = (VecDeque::new(), false);
        for append in self.0.drain(..) {
            let is_first = places.insert(append.place.clone());
            let room = !append.again && !alone && batch.len() < APPENDS_MAX;
            if is_first && (batch.is_empty() || (room && bytes + append.bytes() <= BYTES_MAX)) {
                bytes += append.bytes();
                alone = append.again;
                batch.push(append);
            } else {
                rest.push_back(append);
            }
        }
        self.0 = rest;
        batch
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use tenure::journal::{Record, Run};
    use tenure::{Epoch, Lineage, ShardId};

    use super::*;

    fn append(shard: u32, seq: u64, bytes: usize) -> Append {
        let author = Author { lineage: Lineage(1), epoch: Epoch(1), run: Run(1) };
        let record = Record { key: None, version: 1, body: Bytes::from(vec![0; bytes]) };
        let place = Place { journal: "carts".parse().unwrap(), shard: ShardId(shard) };
        let entry = Entry::batch(Seq(seq), author, 0, vec![record]);
        Append { place, author, opened: Seq(1), entry, again: false, reply: oneshot::channel().0 }
    }

    fn batches(appends: Vec<Append>) -> Vec<Vec<(u32, u64)>> {
        let mut waiting = Waiting(appends.into());
        let mut batches = Vec::new();
        while !waiting.0.is_empty() {
            let batch = waiting.batch();
            batches.push(batch.iter().map(|append| (append.place.shard.0, append.entry.seq.0)).collect());
        }
        batches
    }

    #[test]
    fn a_statement_holds_one_append_of_each_journal_in_order() {
        let appends =
            vec![append(1, 5, 1), append(2, 9, 1), append(1, 6, 1), append(1, 7, 1), append(2, 10, 1)];
        assert_eq!(batches(appends), [vec![(1, 5), (2, 9)], vec![(1, 6), (2, 10)], vec![(1, 7)]]);
    }

    #[test]
    fn what_failed_before_goes_alone() {
        let again = |shard, seq| Append { again: true, ..append(shard, seq, 1) };
        let appends = vec![append(1, 5, 1), again(2, 9), append(3, 4, 1), again(4, 7)];
        assert_eq!(batches(appends), [vec![(1, 5), (3, 4)], vec![(2, 9)], vec![(4, 7)]]);
    }

    #[test]
    fn what_is_long_goes_alone_and_holds_up_nobody_of_the_same_journal() {
        let long = BYTES_MAX + 1;
        let appends = vec![append(1, 5, long), append(2, 9, 1), append(2, 10, 1), append(3, 4, long)];
        assert_eq!(batches(appends), [vec![(1, 5)], vec![(2, 9)], vec![(2, 10)], vec![(3, 4)]]);
    }
}
