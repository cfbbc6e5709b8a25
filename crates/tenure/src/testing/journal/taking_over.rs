//! Rules about those who come after: heirs that read ahead, and operators that look and adopt.

#![expect(clippy::unwrap_used, reason = "a mechanism that fails where it must not breaks the rule")]

use std::collections::BTreeSet;

use tenure_core::ids::{Epoch, Lineage};

use super::JournalSubject;
use super::owners::{Owner, author, numbers, place, place_of};
use crate::journal::{Author, Fault, Journal, JournalError, Kind, Opened, Place, Run, Seq};

/// What an heir has read ahead and what came since is the whole, in order, and nobody that came before stores anything more.
pub async fn an_heir_misses_nothing(subject: &JournalSubject) {
    let nothing = subject.other().ahead(&place()).await.unwrap();
    assert_eq!((nothing.next(), nothing.kept.records().count()), (Seq(1), 0));
    let mut first = Owner::open(subject.journal(), author(1, 1)).await;
    first.append(&[1]).await;
    let early = subject.other().ahead(&place()).await.unwrap();
    assert_eq!((early.next(), numbers(&early.kept)), (Seq(3), vec![1]));
    // Reading ahead ends nobody.
    first.append(&[2]).await;
    let mut second = Owner::open(subject.journal(), author(2, 2)).await;
    second.append(&[3]).await;
    let late = subject.other().ahead(&place()).await.unwrap();
    for (nth, ahead) in [(0, nothing), (1, early), (2, late)] {
        let heir = author(3 + nth, 3 + u128::from(nth));
        let Opened { next, kept, .. } = subject.other().open_after(ahead, heir).await.unwrap();
        assert_eq!((numbers(&kept), next), (vec![1, 2, 3], Seq(7 + nth)));
        let by = second.try_append(&[9]).await.unwrap_err().fenced_by();
        assert!(by.is_some_and(|epoch| epoch >= Epoch(3)), "{by:?}");
    }
    let stale = subject.other().ahead(&place()).await.unwrap();
    let error = subject.other().open_after(stale, author(4, 9)).await.unwrap_err();
    assert_eq!(error.fenced_by(), Some(Epoch(5)));
}

/// A snapshot that came after the reading ahead is what the heir finds, with all entries after it.
pub async fn an_heir_begins_anew_after_a_snapshot(subject: &JournalSubject) {
    let mut first = Owner::open(subject.journal(), author(1, 1)).await;
    first.append(&[1]).await;
    let early = subject.other().ahead(&place()).await.unwrap();
    first.append(&[2]).await;
    let upto = first.append(&[3]).await;
    let within = subject.other().ahead(&place()).await.unwrap();
    first.append(&[4]).await;
    first.shorten(upto, &[1, 2, 3]).await;
    first.append(&[5]).await;
    let after = subject.other().ahead(&place()).await.unwrap();
    assert_eq!((after.kept.start(), after.next()), (upto.next(), Seq(7)));
    for (nth, ahead) in [(0, early), (1, within), (2, after)] {
        let heir = author(2 + nth, 2 + u128::from(nth));
        let Opened { next, kept, .. } = subject.other().open_after(ahead, heir).await.unwrap();
        assert_eq!((numbers(&kept), next), (vec![1, 2, 3, 4, 5], Seq(8 + nth)));
        assert_eq!(kept.snapshot.as_ref().map(|snapshot| snapshot.name.upto), Some(upto));
    }
}

/// Every journal is found once, whatever the pages.
pub async fn every_place_is_found(subject: &JournalSubject) {
    assert_eq!(subject.other().places(None, 10).await.unwrap(), []);
    let names = ["counter", "counter2", "a", "a-b"];
    let there: BTreeSet<Place> =
        [0, 3, 10, 33].iter().flat_map(|shard| names.map(|name| place_of(name, *shard))).collect();
    for place in &there {
        let opened = subject.journal().open(place, author(1, 1)).await.unwrap();
        opened.claim.shorten(Seq(1), "state".into()).await.unwrap();
        subject.journal().save_part(place, "key", Seq(1), "part".into()).await.unwrap();
    }
    for limit in [1, 3, 100] {
        let mut found: Vec<Place> = Vec::new();
        loop {
            let page = subject.other().places(found.last(), limit).await.unwrap();
            found.extend_from_slice(&page);
            if page.len() < limit {
                break;
            }
        }
        assert_eq!((found.len(), found.into_iter().collect::<BTreeSet<_>>()), (there.len(), there.clone()));
    }
}

/// A look tells where the journal begins and ends, who opened it last, and what its snapshot is.
pub async fn a_look_tells_how_far_and_who(subject: &JournalSubject) {
    let look = || async { subject.other().look(&place()).await.unwrap() };
    assert_eq!(look().await, None);
    let mut first = Owner::open(subject.journal(), author(1, 1)).await;
    first.append(&[1]).await;
    let told = look().await.expect("a journal");
    assert_eq!((told.lineage, told.start, told.last), (Lineage(1), Seq(1), Seq(2)));
    assert_eq!((told.opened_by, told.snapshot, told.entries()), (author(1, 1), None, 2));
    let second = Owner::open(subject.journal(), author(2, 2)).await;
    let told = look().await.expect("a journal");
    assert_eq!((told.last, told.opened_by), (Seq(3), author(2, 2)));
    // One that was deposed may still shorten, up to the fence of who deposed it too.
    second.shorten(Seq(3), &[1]).await;
    let told = look().await.expect("a journal");
    assert_eq!((told.start, told.last, told.entries()), (Seq(4), Seq(3), 0));
    assert_eq!(told.opened_by, author(2, 2));
    let snapshot = told.snapshot.expect("a snapshot");
    assert_eq!((snapshot.name.upto, snapshot.name.epoch, snapshot.bytes), (Seq(3), Epoch(2), 3));
    assert!(snapshot.at_ms > 0, "it says when it was taken");
}

fn stranger(epoch: u64, run: u128) -> Author {
    Author { lineage: Lineage(2), epoch: Epoch(epoch), run: Run(run) }
}

async fn refused(journal: &dyn Journal, author: Author) -> Lineage {
    match Owner::try_open(journal, author).await {
        Err(JournalError::Ended(Fault::Foreign(lineage))) => lineage,
        other => panic!("{author:?} was not refused as a stranger: {other:?}"),
    }
}

/// An operator's word lets another founding go on; those of the former one are over, and nothing is lost.
pub async fn an_adopted_journal_goes_on(subject: &JournalSubject) {
    let (journal, other) = (subject.journal(), subject.other());
    let error = journal.adopt(&place(), Lineage(2)).await.unwrap_err();
    assert!(matches!(&error, JournalError::NoJournal(asked) if *asked == place()), "{error}");
    let mut old = Owner::open(journal, author(7, 1)).await;
    let first = old.append(&[1]).await;
    old.append(&[2]).await;
    assert_eq!(refused(other, stranger(1, 1)).await, Lineage(1));
    assert_eq!(other.adopt(&place(), Lineage(2)).await.unwrap(), Some(Lineage(1)));
    assert_eq!(other.adopt(&place(), Lineage(2)).await.unwrap(), None);
    let error = old.try_append(&[9]).await.unwrap_err();
    assert!(matches!(error, JournalError::Ended(Fault::Foreign(Lineage(2)))), "{error}");
    assert_eq!(refused(journal, author(8, 2)).await, Lineage(2));
    let told = other.look(&place()).await.unwrap().expect("a journal");
    assert_eq!((told.lineage, told.opened_by), (Lineage(2), Author::adopting(Lineage(2))));
    let mut new = Owner::open(other, stranger(1, 1)).await;
    assert_eq!((new.found(), new.next), (vec![1, 2], Seq(6)));
    new.append(&[3]).await;
    // What the former founding wrote is still said to be its own.
    let entries = journal.read(&place(), Seq(1), 10).await.unwrap();
    let told: Vec<_> = entries.iter().map(|entry| (entry.author.lineage.0, entry.kind)).collect();
    let adoption = Kind::Adoption { from: Lineage(1) };
    let kinds = [Kind::Fence, Kind::Batch, Kind::Batch, adoption, Kind::Fence, Kind::Batch];
    assert_eq!(told, [1, 1, 1, 2, 2, 2].into_iter().zip(kinds).collect::<Vec<_>>());
    let error = old.claim.shorten(first, "old".into()).await.unwrap_err();
    assert!(matches!(error, JournalError::Ended(Fault::Foreign(Lineage(2)))), "{error}");
    assert_eq!(Owner::open(journal, stranger(2, 2)).await.found(), [1, 2, 3]);
}

/// Epochs of another founding mean nothing: the new one begins at its first, also where a snapshot holds all that was before, and an
/// operator may take the journal back.
pub async fn an_adopted_journal_is_open_to_the_lowest_epoch(subject: &JournalSubject) {
    let (journal, other) = (subject.journal(), subject.other());
    let mut old = Owner::open(journal, author(7, 1)).await;
    let last = old.append(&[1]).await;
    old.shorten(last, &[1]).await;
    assert_eq!(other.adopt(&place(), Lineage(2)).await.unwrap(), Some(Lineage(1)));
    let mut new = Owner::open(other, stranger(1, 1)).await;
    assert_eq!(new.found(), [1]);
    let last = new.append(&[2]).await;
    new.shorten(last, &[1, 2]).await;
    new.append(&[3]).await;
    // The number of the adoption stays taken, though a snapshot contains it.
    let error = old.try_append(&[9]).await.unwrap_err();
    assert!(matches!(error, JournalError::Ended(Fault::Foreign(Lineage(2)))), "{error}");
    assert_eq!(Owner::open(journal, stranger(1, 2)).await.found(), [1, 2, 3]);
    assert_eq!(journal.adopt(&place(), Lineage(1)).await.unwrap(), Some(Lineage(2)));
    assert_eq!(refused(other, stranger(9, 9)).await, Lineage(1));
    assert_eq!(Owner::open(other, author(1, 3)).await.found(), [1, 2, 3]);
}
