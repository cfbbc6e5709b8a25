//! The rules, one function each. Each panics, saying what it saw, if the mechanism breaks it.

#![expect(clippy::unwrap_used, reason = "a mechanism that fails where it must not breaks the rule")]

use std::time::Duration;

use bytes::Bytes;
use tenure_core::ids::{Epoch, Lineage};

use super::JournalSubject;
pub use super::beside::*;
use super::owners::{Owner, author, numbers, numbers_of, place, place_of};
pub use super::race::{an_adoption_amid_a_race_loses_nothing, owners_that_race_lose_nothing};
pub use super::taking_over::*;
use crate::clock::Clock;
use crate::journal::{Author, Entry, Fault, JournalError, Kind, Record, Seq, Shortened};

/// A journal that nobody has written to begins with the fence of its first owner.
pub async fn a_new_journal_is_empty(subject: &JournalSubject) {
    assert!(subject.journal().read(&place(), Seq::FIRST, 10).await.unwrap().is_empty());
    let owner = Owner::open(subject.journal(), author(1, 1)).await;
    assert_eq!((owner.found(), owner.kept.entries.len()), (Vec::new(), 0));
    let entries = subject.journal().read(&place(), Seq::FIRST, 10).await.unwrap();
    assert_eq!(
        entries.iter().map(|entry| (entry.seq, entry.kind)).collect::<Vec<_>>(),
        [(Seq(1), Kind::Fence)]
    );
}

/// Entries have numbers without gaps, and come back in their order through another handle.
pub async fn what_is_appended_is_read_in_order(subject: &JournalSubject) {
    let mut owner = Owner::open(subject.journal(), author(1, 1)).await;
    assert_eq!(owner.next, Seq(2));
    for number in 0..50 {
        assert_eq!(owner.append(&[number, number + 1000]).await, Seq(number + 2));
    }
    let entries = subject.other().read(&place(), Seq(2), 1000).await.unwrap();
    assert_eq!(entries.iter().map(|entry| entry.seq.0).collect::<Vec<_>>(), (2..52).collect::<Vec<_>>());
    for (entry, number) in entries.iter().zip(0..) {
        assert_eq!(
            (entry.author, entry.kind, numbers_of(entry)),
            (author(1, 1), Kind::Batch, vec![number, number + 1000])
        );
    }
    let some = subject.other().read(&place(), Seq(10), 5).await.unwrap();
    assert_eq!(some.iter().map(|entry| entry.seq.0).collect::<Vec<_>>(), [10, 11, 12, 13, 14]);
    assert!(subject.other().read(&place(), Seq(52), 5).await.unwrap().is_empty());
}

/// Bodies of any bytes, keys and versions come back as they were.
pub async fn any_bytes_come_back(subject: &JournalSubject) {
    let mut owner = Owner::open(subject.journal(), author(1, 1)).await;
    let bodies: [Bytes; 6] = [
        Bytes::new(),
        (0..=255).collect::<Vec<u8>>().into(),
        Bytes::from_static(b"{\"a\": 1.50}"),
        Bytes::from_static(b" {} "),
        Bytes::from_static("\n\u{0}\u{202e} é".as_bytes()),
        vec![b'x'; 1 << 20].into(),
    ];
    let keys = [None, Some(" "), Some("cart-9"), Some("a \"b\"\n"), Some("é"), None];
    let records = bodies.into_iter().zip(keys).zip(1..).map(|((body, key), version)| Record {
        key: key.map(str::to_owned),
        version,
        body,
    });
    let entry = Entry { records: records.collect(), ..owner.entry(&[]) };
    owner.claim.append(&entry).await.unwrap();
    owner.next = owner.next.next();
    let read = subject.other().read(&place(), entry.seq, 1).await.unwrap();
    assert!(read == [entry], "an entry came back changed");
}

/// What is in one journal is in no other, nor in another shard's.
pub async fn journals_are_kept_apart(subject: &JournalSubject) {
    for (place, number) in [(place(), 1), (place_of("counter", 33), 2), (place_of("counter2", 3), 3)] {
        let opened = subject.journal().open(&place, author(1, 1)).await.unwrap();
        assert_eq!(opened.next, Seq(2));
        let entry = Entry::batch(Seq(2), author(1, 1), 0, vec![Record::json(&number)]);
        opened.claim.append(&entry).await.unwrap();
        let read = subject.other().read(&place, Seq(2), 10).await.unwrap();
        assert_eq!(read.iter().flat_map(numbers_of).collect::<Vec<_>>(), [number]);
    }
}

/// Who opens with a higher epoch finds all that was stored, and nobody before it stores anything more.
pub async fn a_higher_epoch_ends_a_lower_one(subject: &JournalSubject) {
    let mut first = Owner::open(subject.journal(), author(1, 1)).await;
    first.append(&[1]).await;
    first.append(&[2]).await;
    let mut second = Owner::open(subject.other(), author(5, 2)).await;
    assert_eq!(second.found(), [1, 2]);
    for _ in 0..3 {
        assert_eq!(first.try_append(&[3]).await.unwrap_err().fenced_by(), Some(Epoch(5)));
    }
    second.append(&[4]).await;
    assert_eq!(first.try_append(&[3]).await.unwrap_err().fenced_by(), Some(Epoch(5)));
    assert_eq!(Owner::open(subject.journal(), author(6, 3)).await.found(), [1, 2, 4]);
}

/// Who comes late with a lower epoch changes nothing.
pub async fn a_lower_epoch_does_not_open(subject: &JournalSubject) {
    let mut owner = Owner::open(subject.journal(), author(5, 5)).await;
    let error = Owner::try_open(subject.other(), author(4, 4)).await.unwrap_err();
    assert_eq!(error.fenced_by(), Some(Epoch(5)));
    owner.append(&[1]).await;
    // Also where nothing is left of it but a snapshot.
    owner.shorten(Seq(2), &[1]).await;
    let error = Owner::try_open(subject.other(), author(4, 4)).await.unwrap_err();
    assert_eq!(error.fenced_by(), Some(Epoch(5)));
    owner.append(&[2]).await;
}

/// Ownership may start the work of one epoch again: the last start wins.
pub async fn another_start_of_work_ends_the_last_one(subject: &JournalSubject) {
    let mut first = Owner::open(subject.journal(), author(5, 1)).await;
    first.append(&[1]).await;
    let mut second = Owner::open(subject.journal(), author(5, 2)).await;
    assert_eq!(second.found(), [1]);
    assert_eq!(first.try_append(&[2]).await.unwrap_err().fenced_by(), Some(Epoch(5)));
    second.append(&[3]).await;
    assert_eq!(Owner::open(subject.other(), author(5, 3)).await.found(), [1, 3]);
}

/// Another cluster's epochs mean nothing here.
pub async fn another_founding_is_refused(subject: &JournalSubject) {
    let mut owner = Owner::open(subject.journal(), author(1, 1)).await;
    let stranger = Author { lineage: Lineage(2), ..author(9, 9) };
    let error = Owner::try_open(subject.other(), stranger).await.unwrap_err();
    assert!(matches!(error, JournalError::Ended(Fault::Foreign(Lineage(1)))), "{error}");
    owner.append(&[1]).await;
}

/// What is not known to be stored may be sent again.
pub async fn the_same_append_again_is_stored_once(subject: &JournalSubject) {
    let mut owner = Owner::open(subject.journal(), author(1, 1)).await;
    let entry = owner.entry(&[1]);
    for _ in 0..3 {
        owner.claim.append(&entry).await.unwrap();
    }
    owner.next = entry.seq.next();
    owner.append(&[2]).await;
    owner.claim.append(&entry).await.unwrap();
    assert_eq!(Owner::open(subject.other(), author(2, 2)).await.found(), [1, 2]);
}

/// An append whose caller has gone is stored whole or not at all, and the same may be sent again.
pub async fn an_append_that_was_dropped_is_there_or_not(subject: &JournalSubject) {
    let mut owner = Owner::open(subject.journal(), author(1, 1)).await;
    for number in 0..20 {
        let entry = owner.entry(&[number, number]);
        let patience = Duration::from_micros(number * 50);
        // Whatever became of it.
        let _ = Clock::boot().timeout(patience, owner.claim.append(&entry)).await;
        owner.claim.append(&entry).await.unwrap();
        owner.next = entry.seq.next();
    }
    let expected: Vec<u64> = (0..20).flat_map(|number| [number, number]).collect();
    assert_eq!(Owner::open(subject.other(), author(2, 2)).await.found(), expected);
}

/// The next owner finds the snapshot, and only the entries after it.
pub async fn a_snapshot_stands_for_the_entries_before(subject: &JournalSubject) {
    let mut first = Owner::open(subject.journal(), author(1, 1)).await;
    for number in 1..=4 {
        first.append(&[number]).await;
    }
    let mut second = Owner::open(subject.journal(), author(2, 2)).await;
    let last = second.append(&[5]).await;
    assert_eq!(second.shorten(last, &[1, 2, 3, 4, 5]).await, Shortened::Cleared);
    second.append(&[6]).await;
    let third = Owner::open(subject.other(), author(3, 3)).await;
    let snapshot = third.kept.snapshot.as_ref().expect("a snapshot");
    assert_eq!((snapshot.name.upto, snapshot.name.epoch), (last, Epoch(2)));
    assert_eq!((third.found(), third.kept.entries.len()), (vec![1, 2, 3, 4, 5, 6], 1));
    assert_eq!(third.shorten(third.next.before(), &[1, 2, 3, 4, 5, 6]).await, Shortened::Cleared);
    let fourth = Owner::open(subject.journal(), author(4, 4)).await;
    assert_eq!((fourth.found(), fourth.kept.entries.len()), (vec![1, 2, 3, 4, 5, 6], 0));
}

/// Entries that a snapshot replaced are not read as if there were none.
pub async fn what_was_shortened_is_told_to_readers(subject: &JournalSubject) {
    let mut owner = Owner::open(subject.journal(), author(1, 1)).await;
    owner.append(&[1]).await;
    let last = owner.append(&[2]).await;
    owner.shorten(last, &[1, 2]).await;
    owner.append(&[3]).await;
    let error = subject.other().read(&place(), Seq(2), 10).await.unwrap_err();
    assert!(matches!(error, JournalError::Shortened { start } if start == last.next()), "{error}");
    let rest = subject.other().read(&place(), last.next(), 10).await.unwrap();
    assert_eq!(rest.iter().flat_map(numbers_of).collect::<Vec<_>>(), [3]);
}

/// A snapshot never goes back.
pub async fn an_older_snapshot_is_dropped(subject: &JournalSubject) {
    let mut owner = Owner::open(subject.journal(), author(1, 1)).await;
    let first = owner.append(&[1]).await;
    let second = owner.append(&[2]).await;
    assert_eq!(owner.shorten(second, &[1, 2]).await, Shortened::Cleared);
    assert_eq!(owner.shorten(first, &[1]).await, Shortened::Dropped);
    assert_eq!(Owner::open(subject.other(), author(2, 2)).await.found(), [1, 2]);
}

/// A snapshot of entries that are stored is true whoever makes it, and takes nothing from the owner of the moment.
pub async fn a_snapshot_of_a_deposed_owner_does_no_harm(subject: &JournalSubject) {
    let mut first = Owner::open(subject.journal(), author(1, 1)).await;
    first.append(&[1]).await;
    let last = first.append(&[2]).await;
    let mut second = Owner::open(subject.other(), author(2, 2)).await;
    second.append(&[3]).await;
    first.shorten(last, &[1, 2]).await;
    second.append(&[4]).await;
    assert_eq!(first.try_append(&[9]).await.unwrap_err().fenced_by(), Some(Epoch(2)));
    let third = Owner::open(subject.journal(), author(3, 3)).await;
    assert_eq!(numbers(&third.kept), [1, 2, 3, 4]);
}
