//! Sixteen starts of work race to open, to append and to shorten; a reader that knows nothing of them judges.

use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::future::{join, join_all};
use tenure_core::ids::{Epoch, Lineage};

use super::JournalSubject;
use super::owners::{Owner, author, numbers_of, place};
use crate::journal::{Author, Fault, Journal, JournalError, Kind, Seq};

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
    let epochs = AtomicU64::new(1);
    let handles = [subject.journal(), subject.other()];
    let owners = (0..OWNERS).map(|number| race(handles[number as usize % 2], number, Lineage(1), &epochs));
    let told: Vec<Told> = join_all(owners).await.into_iter().flatten().collect();
    assert!(!told.is_empty(), "nobody could open");
    let last = Owner::open(subject.journal(), author(1_000, 1_000)).await.found();
    assert_kept(&told, &last);
    judge(subject.other()).await;
}

/// An operator adopts the journal while its owners race: they lose nothing that was acknowledged, and nothing of theirs follows.
pub async fn an_adoption_amid_a_race_loses_nothing(subject: &JournalSubject) {
    let handles = [subject.journal(), subject.other()];
    // The first owner founds the journal; then there is something to adopt.
    Owner::open(subject.journal(), author(1, 1_000)).await;
    let (old, new) = (AtomicU64::new(1), AtomicU64::new(1));
    let before = (0..OWNERS / 2).map(|number| race(handles[number as usize % 2], number, Lineage(1), &old));
    let after = async {
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
        let adopted = subject.other().adopt(&place(), Lineage(2)).await;
        let from = adopted.unwrap_or_else(|error| panic!("could not adopt: {}", super::told(&error)));
        assert_eq!(from, Some(Lineage(1)));
        let owners = OWNERS / 2..OWNERS;
        join_all(owners.map(|number| race(handles[number as usize % 2], number, Lineage(2), &new))).await
    };
    let (before, after) = join(join_all(before), after).await;
    let told: Vec<Told> = before.into_iter().chain(after).flatten().collect();
    assert!(
        told.iter().any(|told| told.author.lineage == Lineage(2)),
        "nobody of the new founding could open"
    );
    let heir = Author { lineage: Lineage(2), ..author(1_000, 1_000) };
    assert_kept(&told, &Owner::open(subject.journal(), heir).await.found());
    judge(subject.other()).await;
}

/// What was acknowledged is there once and in order, and each owner found the beginning of what is there.
fn assert_kept(told: &[Told], last: &[u64]) {
    for told in told {
        let stored: Vec<u64> = last.iter().copied().filter(|number| told.stored.contains(number)).collect();
        assert_eq!(
            stored, told.stored,
            "{:?} was told that these are stored, once each and in order",
            told.author
        );
        assert_eq!(last[..told.found.len()], told.found, "{:?} found another history", told.author);
    }
}

async fn race(journal: &dyn Journal, number: u64, lineage: Lineage, epochs: &AtomicU64) -> Option<Told> {
    // Some share an epoch: two starts of the same work.
    let epoch = epochs.fetch_add(number % 3, Ordering::Relaxed);
    let author = Author { lineage, ..author(epoch, u128::from(number) + 1) };
    let mut owner = Owner::try_open(journal, author).await.ok()?;
    let mut told = Told { author: owner.author, found: owner.found(), stored: Vec::new() };
    for nth in 0..APPENDS {
        let mine = number * 1_000 + nth;
        let Ok(seq) = owner.try_append(&[mine]).await else { break };
        told.stored.push(mine);
        if nth == APPENDS / 2 {
            let state: Vec<u64> = told.found.iter().chain(&told.stored).copied().collect();
            // One that was ended by an adoption may not.
            let state = serde_json::to_vec(&state).expect("numbers are JSON");
            match owner.claim.shorten(seq, state.into()).await {
                Ok(_) | Err(JournalError::Ended(Fault::Foreign(_))) => {}
                Err(error) => panic!("{author:?} could not shorten: {}", super::told(&error)),
            }
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
            Err(JournalError::Shortened { start }) => from = start,
            Err(error) => panic!("{}", super::told(&error)),
        }
    };
    let mut fence: Option<Author> = None;
    for (entry, seq) in entries.iter().zip(from.0..) {
        assert_eq!(entry.seq, Seq(seq), "a gap");
        let (lineage, highest) = fence.map_or((entry.author.lineage, Epoch(0)), |at| (at.lineage, at.epoch));
        match entry.kind {
            Kind::Fence => {
                assert_eq!(entry.author.lineage, lineage, "{:?} of another founding", entry.author);
                assert!(entry.author.epoch >= highest, "{:?} after epoch {highest}", entry.author);
                fence = Some(entry.author);
            }
            Kind::Adoption { from } => {
                assert!(fence.is_none() || from == lineage, "{from:?} was not in force");
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
