//! Rules about what stands beside the entries: records by key, parts, blobs, and how large all may be.

#![expect(clippy::unwrap_used, reason = "a mechanism that fails where it must not breaks the rule")]

use bytes::Bytes;

use super::JournalSubject;
use super::owners::{Owner, author, place, place_of};
use crate::journal::limits::{
    BLOB_BYTES_MAX, ENTRY_BYTES_MAX, KEY_BYTES_MAX, PART_BYTES_MAX, STATE_BYTES_MAX,
};
use crate::journal::{Entry, Journal, JournalError, Keyed, Record, Saved, Seq, Unfit};

impl Owner {
    /// Appends records about these keys; each body is its place among them.
    async fn append_about(&mut self, keys: &[&str]) -> Seq {
        let about = |(key, body): (&&str, u64)| Record::json(&body).about(*key);
        let entry = Entry::batch(self.next, self.author, 0, keys.iter().zip(0..).map(about).collect());
        self.claim.append(&entry).await.unwrap();
        self.next = entry.seq.next();
        entry.seq
    }
}

async fn of_key(journal: &dyn Journal, key: &str, after: Seq, limit: usize) -> Vec<(Seq, u64)> {
    let found = journal.read_of(&place(), key, after, limit).await.unwrap();
    let told = |Keyed { seq, record }: Keyed| {
        assert_eq!(record.key.as_deref(), Some(key), "a record about something else");
        (seq, serde_json::from_slice(&record.body).unwrap())
    };
    found.into_iter().map(told).collect()
}

/// One key's records come without the others, also those that were there when the journal was opened, and those of no other journal.
pub async fn records_are_found_by_their_key(subject: &JournalSubject) {
    let mut first = Owner::open(subject.journal(), author(1, 1)).await;
    let keys = ["apple", "Apple", "a/b c%", "\u{e4}\"\u{1}", &"k".repeat(KEY_BYTES_MAX)];
    let one = first.append_about(&keys).await;
    first.append(&[7]).await;
    drop(first);
    let mut owner = Owner::open(subject.journal(), author(2, 2)).await;
    let two = owner.append_about(&keys).await;
    for (key, body) in keys.iter().zip(0..) {
        assert_eq!(of_key(subject.journal(), key, Seq(0), 10).await, [(one, body), (two, body)], "{key}");
    }
    assert_eq!(of_key(subject.journal(), "apple", one, 10).await, [(two, 0)]);
    assert_eq!(of_key(subject.journal(), "pear", Seq(0), 10).await, []);
    // A handle that has not opened it answers so, or says that it can't.
    match subject.other().read_of(&place(), "apple", one, 10).await {
        Ok(found) => assert_eq!(found.len(), 1),
        Err(JournalError::NotOpen(asked)) => assert_eq!(asked, place()),
        Err(error) => panic!("{}", super::told(&error)),
    }
}

/// A limit never divides what one entry holds.
pub async fn records_of_a_key_come_entry_by_entry(subject: &JournalSubject) {
    let mut owner = Owner::open(subject.journal(), author(1, 1)).await;
    let one = owner.append_about(&["a", "b", "a", "a"]).await;
    owner.append_about(&["b"]).await;
    let two = owner.append_about(&["b", "a"]).await;
    let three = owner.append_about(&["a"]).await;
    assert_eq!(of_key(subject.journal(), "a", Seq(0), 1).await, [(one, 0), (one, 2), (one, 3)]);
    assert_eq!(of_key(subject.journal(), "a", one, 1).await, [(two, 1)]);
    assert_eq!(of_key(subject.journal(), "a", two, 9).await, [(three, 0)]);
    assert_eq!(of_key(subject.journal(), "a", three, 9).await, []);
}

/// Who asks for records of a key that a snapshot replaced is not told that there were none.
pub async fn what_was_shortened_is_told_to_who_asks_by_key(subject: &JournalSubject) {
    let mut owner = Owner::open(subject.journal(), author(1, 1)).await;
    let one = owner.append_about(&["a"]).await;
    owner.shorten(one, &[0]).await;
    let two = owner.append_about(&["a"]).await;
    let error = subject.journal().read_of(&place(), "a", Seq(0), 9).await.unwrap_err();
    assert!(matches!(error, JournalError::Shortened { start } if start == one.next()), "{error}");
    assert_eq!(of_key(subject.journal(), "a", one, 9).await, [(two, 0)]);
}

/// A part is replaced by a newer one only, whoever saves it, and stands apart from those of other keys and journals.
pub async fn a_part_never_goes_back(subject: &JournalSubject) {
    let (here, elsewhere) = (place(), place_of("counter", 33));
    let _owner = Owner::open(subject.journal(), author(1, 1)).await;
    for (nth, key) in
        ["a", "A", "a/b", "..", "=41", &"k".repeat(201), &"\u{1}".repeat(256)].iter().enumerate()
    {
        let state = |text: &str| Bytes::from(format!("{nth} {text} \n\0"));
        let journal = subject.journal();
        assert_eq!(journal.part(&here, key).await.unwrap(), None);
        assert_eq!(journal.save_part(&here, key, Seq(5), state("five")).await.unwrap(), Saved::Stored);
        let other = subject.other();
        assert_eq!(other.save_part(&here, key, Seq(4), state("four")).await.unwrap(), Saved::Dropped);
        let part = other.part(&here, key).await.unwrap().expect("a part");
        assert_eq!((part.seq, part.state), (Seq(5), state("five")), "{key}");
        assert_eq!(other.save_part(&here, key, Seq(5), state("five")).await.unwrap(), Saved::Stored);
        assert_eq!(other.save_part(&here, key, Seq(6), state("six")).await.unwrap(), Saved::Stored);
        let part = journal.part(&here, key).await.unwrap().expect("a part");
        assert_eq!((part.seq, part.state), (Seq(6), state("six")), "{key}");
        assert_eq!(journal.part(&elsewhere, key).await.unwrap(), None);
    }
}

/// The same bytes may be kept again, others never; what was removed is gone.
pub async fn a_blob_never_changes(subject: &JournalSubject) {
    let (journal, other) = (subject.journal(), subject.other());
    assert_eq!(journal.fetch("a/one").await.unwrap(), None);
    for bytes in [Bytes::new(), Bytes::from_static(b"\0any\nbytes\xff")] {
        let name = format!("a/blob-{}", bytes.len());
        journal.keep(&name, bytes.clone()).await.unwrap();
        other.keep(&name, bytes.clone()).await.unwrap();
        let error = other.keep(&name, "others".into()).await.unwrap_err();
        assert!(matches!(&error, JournalError::Taken(taken) if *taken == name), "{error}");
        assert_eq!(other.fetch(&name).await.unwrap(), Some(bytes));
        other.remove(&[&name, "a/never-there"]).await.unwrap();
        assert_eq!(journal.fetch(&name).await.unwrap(), None);
    }
}

/// Names come in the order of their bytes, page by page, and only those that were asked for.
pub async fn blobs_are_listed_in_order(subject: &JournalSubject) {
    let names = ["b", "a/2", "a/10", "a-1", "ab", "a/1/x", "B"];
    for name in names {
        subject.journal().keep(name, name.into()).await.unwrap();
    }
    let listed = |prefix: &'static str, after: &'static str, limit| async move {
        subject.other().names(prefix, after, limit).await.unwrap()
    };
    assert_eq!(listed("", "", 100).await, ["B", "a-1", "a/1/x", "a/10", "a/2", "ab", "b"]);
    assert_eq!(listed("a/", "", 100).await, ["a/1/x", "a/10", "a/2"]);
    assert_eq!(listed("a/", "a/1/x", 1).await, ["a/10"]);
    assert_eq!(listed("", "a-1", 2).await, ["a/1/x", "a/10"]);
    assert_eq!(listed("c", "", 100).await, Vec::<String>::new());
    // Blobs are no journals.
    assert_eq!(subject.journal().places(None, 10).await.unwrap(), []);
}

/// What is too long is refused with its reason before anything is stored, and the next that fits is stored.
pub async fn what_is_too_large_is_refused_and_spoils_nothing(subject: &JournalSubject) {
    let (journal, place) = (subject.journal(), place());
    let zeros = |bytes: usize| Bytes::from(vec![0; bytes]);
    let unfit = |error: JournalError| match error {
        JournalError::Unfit(unfit) => unfit,
        other => panic!("{}", super::told(&other)),
    };
    let mut owner = Owner::open(journal, author(1, 1)).await;
    let many = vec![Record::json(&1); ENTRY_BYTES_MAX / 40];
    let long = vec![Record { key: None, version: 1, body: zeros(ENTRY_BYTES_MAX) }];
    for records in [many, long] {
        let entry = Entry::batch(owner.next, owner.author, 0, records);
        let refused = unfit(owner.claim.append(&entry).await.unwrap_err());
        assert!(matches!(refused, Unfit::Entry { .. }), "{refused}");
    }
    let about = Record::json(&1).about("k".repeat(KEY_BYTES_MAX + 1));
    let entry = Entry::batch(owner.next, owner.author, 0, vec![about]);
    let refused = unfit(owner.claim.append(&entry).await.unwrap_err());
    assert_eq!(refused, Unfit::Key { bytes: KEY_BYTES_MAX + 1 });
    let last = owner.append(&[1]).await;
    let full = owner.claim.shorten(last, zeros(STATE_BYTES_MAX + 1)).await.unwrap_err();
    assert_eq!(unfit(full), Unfit::Full { bytes: STATE_BYTES_MAX + 1 });
    let part = journal.save_part(&place, "a", last, zeros(PART_BYTES_MAX + 1)).await.unwrap_err();
    assert_eq!(unfit(part), Unfit::Part { bytes: PART_BYTES_MAX + 1 });
    assert_eq!(unfit(journal.part(&place, "").await.unwrap_err()), Unfit::Key { bytes: 0 });
    let blob = journal.keep("a", zeros(BLOB_BYTES_MAX + 1)).await.unwrap_err();
    assert_eq!(unfit(blob), Unfit::Blob { bytes: BLOB_BYTES_MAX + 1 });
    let name = journal.keep("../a", Bytes::new()).await.unwrap_err();
    assert_eq!(unfit(name), Unfit::BlobName("../a".into()));
    owner.append(&[2]).await;
    assert_eq!(Owner::open(subject.other(), author(2, 2)).await.found(), [1, 2]);
}
