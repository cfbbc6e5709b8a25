//! Listings, page by page.
//!
//! etcd answers a range in one message, however large. So it is asked for few keys first and for as many as fit afterwards,
//! all at the revision of the first page: the pages of one listing belong together.

use bytes::Bytes;
use tenure::store::{Entry, Versioned};

use super::client::Client;
use super::error::Trouble;
use super::message::{KeyValue, RangeRequest};
use super::range::{Root, after, version_of};

/// The first page: small enough even if every value is a megabyte.
const FIRST_PAGE: i64 = 128;

/// What a page should hold.
const PAGE_BYTES: i64 = 16 * 1024 * 1024;

/// The most keys of a page, however small their values.
const PAGE_MAX: i64 = 10_000;

/// Every record whose key begins with `prefix`.
pub(super) async fn list(client: &Client, prefix: &str) -> Result<Vec<Entry>, Trouble> {
    let first = client.root.path(prefix);
    let range_end = after(&first);
    let mut request = RangeRequest { key: first, range_end, limit: FIRST_PAGE, ..RangeRequest::default() };
    let mut entries = Vec::new();
    // Ends with the range: each page begins after the last key of the one before.
    loop {
        let page = client.range(request.clone()).await?;
        let last = page.kvs.last().filter(|_| page.more).map(|last| next_after(&last.key));
        request.limit = next_limit(&page.kvs);
        entries.extend(page.kvs.into_iter().filter_map(|kv| entry(&client.root, kv)));
        let Some(next) = last else { return Ok(entries) };
        request.key = next;
        if request.revision == 0 {
            request.revision = page.header.unwrap_or_default().revision;
        }
    }
}

/// The smallest key that is larger.
fn next_after(key: &Bytes) -> Bytes {
    [key, &b"\0"[..]].concat().into()
}

fn next_limit(kvs: &[KeyValue]) -> i64 {
    let bytes: usize = kvs.iter().map(|kv| kv.key.len() + kv.value.len()).sum();
    let each = i64::try_from(bytes / kvs.len().max(1)).unwrap_or(PAGE_BYTES);
    (PAGE_BYTES / each.max(1)).clamp(1, PAGE_MAX)
}

fn entry(root: &Root, kv: KeyValue) -> Option<Entry> {
    let record = Versioned { version: version_of(kv.mod_revision), value: kv.value };
    Some(Entry { key: root.key(&kv.key)?, record })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sized(bytes: usize) -> KeyValue {
        KeyValue { value: vec![0; bytes].into(), ..KeyValue::default() }
    }

    #[test]
    fn pages_hold_as_many_records_as_fit() {
        assert_eq!(next_limit(&[]), PAGE_MAX);
        assert_eq!(next_limit(&[sized(10)]), PAGE_MAX);
        assert_eq!(next_limit(&[sized(1 << 20), sized(1 << 20)]), 16);
        assert_eq!(next_limit(&[sized(64 << 20)]), 1);
    }

    #[test]
    fn nothing_lies_between_a_key_and_the_next() {
        assert_eq!(next_after(&Bytes::from_static(b"a")), Bytes::from_static(b"a\0"));
    }
}
