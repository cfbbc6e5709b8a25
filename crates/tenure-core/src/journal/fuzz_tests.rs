//! What is read from a bucket or a file is spoilt, as it is and with a sum that fits again: it is read whole, or told to be damaged.

use bytes::Bytes;
use tenure_fuzz::Target;
use xxhash_rust::xxh3::xxh3_128;

use super::entry::Place;
use super::fault::Damage;
use super::*;
use crate::ids::{Epoch, ShardId};

const BATCH: &[u8] = include_bytes!("../../golden/journal/batch.jsonl");
const FENCE: &[u8] = include_bytes!("../../golden/journal/fence.jsonl");
const ADOPTION: &[u8] = include_bytes!("../../golden/journal/adoption.jsonl");
const HEAD: &[u8] = include_bytes!("../../golden/journal/head.jsonl");
const HEAD_WITH_FACTS: &[u8] = include_bytes!("../../golden/journal/head_with_facts.jsonl");
const SNAPSHOT: &[u8] = include_bytes!("../../golden/journal/snapshot");
const PART: &[u8] = include_bytes!("../../golden/journal/part");

fn place() -> Place {
    Place { journal: "carts".parse().unwrap(), shard: ShardId(3) }
}

/// The same lines with a sum that fits: otherwise nothing behind the sum would ever be looked at.
fn sealed(bytes: &[u8]) -> Bytes {
    let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let end = body.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let lines = &body[..end];
    let sum = format!("{{\"sum\":\"{:032x}\"}}\n", xxh3_128(lines));
    [lines, sum.as_bytes()].concat().into()
}

/// Whether either can be read; what can be is written down as something that can be read again, and is the same.
fn reads<T: PartialEq + std::fmt::Debug>(
    bytes: &[u8],
    read: impl Fn(&Bytes) -> Result<T, Damage>,
    write: impl Fn(&T) -> Bytes,
) -> bool {
    let read_back = |bytes: Bytes| match read(&bytes) {
        Ok(found) => {
            assert_eq!(read(&write(&found)).as_ref(), Ok(&found));
            true
        }
        Err(_) => false,
    };
    read_back(Bytes::copy_from_slice(bytes)) | read_back(sealed(bytes))
}

#[test]
fn fuzz_journal_entry() {
    Target::new("journal-entry", [BATCH, FENCE, ADOPTION]).run(|bytes| {
        (42..=44).map(Seq).any(|seq| {
            let write = |entry: &Entry| entry.encode(&place());
            reads(bytes, |bytes| Entry::decode(&place(), seq, bytes), write)
        })
    });
}

#[test]
fn fuzz_journal_head() {
    Target::new("journal-head", [HEAD, HEAD_WITH_FACTS])
        .run(|bytes| reads(bytes, |bytes| Head::decode(&place(), bytes), |head| head.encode(&place())));
}

#[test]
fn fuzz_journal_snapshot() {
    let name = SnapshotName { upto: Seq(512), epoch: Epoch(7), run: Run(0x70a1) };
    Target::new("journal-snapshot", [SNAPSHOT]).run(|bytes| {
        let read = |bytes: &Bytes| Snapshot::decode(&place(), name, bytes);
        reads(bytes, read, |(snapshot, author)| snapshot.encode(&place(), author.lineage))
    });
}

#[test]
fn fuzz_journal_part() {
    Target::new("journal-part", [PART]).run(|bytes| {
        let read = |bytes: &Bytes| Part::decode(&place(), "cart-9", bytes);
        reads(bytes, read, |part| part.encode(&place(), "cart-9"))
    });
}
