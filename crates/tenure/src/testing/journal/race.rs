//! Sixteen starts of work race to open, to append and to shorten; a reader that knows nothing of them judges.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::future::join_all;
use tenure_core::ids::Epoch;

use super::JournalSubject;
use super::owners::{Owner, author, numbers_of, place};
use crate::journal::{Author, Journal, Kind, Seq};

const OWNERS: u64 = 16;
const APPENDS: u64 = 12;

/// What an owner was told: the numbers that were acknowledged, in their order.
struct Told {
    author: Author,
    found: Vec<u64>,
    stored: Vec<u64>,
}

/// Whoever races: what was acknowledged is there once and in order, each owner found all that was acknowledged before it, and nothing
/// of an earlier owner follows a later fence.
pub async fn owners_that_race_lose_nothing(subject: &JournalSubject) {
    let epochs = Arc::new(AtomicU64::new(1));
    let handles = [subject.journal(), subject.other()];
    let owners = (0..OWNERS).map(|number| race(handles[number as usize % 2], number, Arc::clone(&epochs)));
    let told: Vec<Told> = join_all(owners).await.into_iter().flatten().collect();
    assert!(!told.is_empty(), "nobody could open");
    let last = Owner::open(subject.journal(), author(1_000, 1_000)).await.found();
    for told in &told {
        let stored: Vec<u64> = last.iter().copied().filter(|number| told.stored.contains(number)).collect();
        assert_eq!(
            stored, told.stored,
            "{:?} was told that these are stored, once each and in order",
            told.author
        );
        assert_eq!(last[..told.found.len()], told.found, "{:?} found another history", told.author);
    }
    judge(subject.other()).await;
}

async fn race(journal: &dyn Journal, number: u64, epochs: Arc<AtomicU64>) -> Option<Told> {
    // Some share an epoch: two starts of the same work.
    let epoch = epochs.fetch_add(number % 3, Ordering::Relaxed);
    let mut owner = Owner::try_open(journal, author(epoch, u128::from(number) + 1)).await.ok()?;
    let mut told = Told { author: owner.author, found: owner.found(), stored: Vec::new() };
    for nth in 0..APPENDS {
        let mine = number * 1_000 + nth;
        let Ok(seq) = owner.try_append(&[mine]).await else { break };
        told.stored.push(mine);
        if nth == APPENDS / 2 {
            let state: Vec<u64> = told.found.iter().chain(&told.stored).copied().collect();
            owner.shorten(seq, &state).await;
        }
        tokio::task::yield_now().await;
    }
    Some(told)
}

/// Reads what is there, from its first entry on, and checks it by itself.
async fn judge(journal: &dyn Journal) {
    let mut from = Seq::FIRST;
    let entries = loop {
        match journal.read(&place(), from, 10_000).await {
            Ok(entries) => break entries,
            Err(crate::journal::JournalError::Shortened { start }) => from = start,
            Err(error) => panic!("{}", super::told(&error)),
        }
    };
    let mut fence: Option<Author> = None;
    for (entry, seq) in entries.iter().zip(from.0..) {
        assert_eq!(entry.seq, Seq(seq), "a gap");
        let highest = fence.map_or(Epoch(0), |fence| fence.epoch);
        match entry.kind {
            Kind::Fence | Kind::Adoption { .. } => {
                assert!(entry.author.epoch >= highest, "{:?} after epoch {highest}", entry.author);
                fence = Some(entry.author);
            }
            Kind::Batch => {
                let after = fence.is_none_or(|fence| fence == entry.author);
                assert!(
                    after,
                    "{:?} holds {:?} after the fence of {fence:?}",
                    entry.author,
                    numbers_of(entry)
                );
            }
        }
    }
}
