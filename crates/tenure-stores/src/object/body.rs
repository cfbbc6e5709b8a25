//! What an object's body says: a record, or that a record was removed.
//!
//! A record is stored as it is, so that people can read it in the bucket with any tool. A removed one leaves a *grave*:
//! an object whose body no record can have. The two are told apart by a mark at the beginning; a record that happens to
//! begin with the mark is stored behind a further one.
//!
//! ```text
//!  {"line":…}               a record
//!  MARK = MARK…             a record that begins with the mark
//!  MARK - 128 random bits   a grave
//! ```
//! Each grave is like no other: where versions are hashes of contents, two equal graves would be one version, and a write
//! that was meant for the first could land on the second.

use bytes::{BufMut, Bytes, BytesMut};
use tenure::store::{StoreError, StoreErrorKind};

/// Longer than any accident, and no beginning of JSON.
const MARK: &[u8] = b"tenure/object:";
const RECORD: u8 = b'=';
const GRAVE: u8 = b'-';

/// What a body says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// This record is there.
    Record(Bytes),
    /// A record was there, and was removed.
    Grave,
}

/// A body is none that this build can read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unreadable;

impl Body {
    /// The body that stores `record`.
    pub(super) fn of_record(record: Bytes) -> Bytes {
        if !record.starts_with(MARK) {
            return record;
        }
        marked(RECORD, &record)
    }

    /// A grave like no other.
    pub(super) fn of_grave(kind: &'static str, key: &str) -> Result<Bytes, StoreError> {
        Ok(marked(GRAVE, format!("{}\n", drawn(kind, "delete", key)?).as_bytes()))
    }

    /// What a body says.
    pub(super) fn read(body: Bytes) -> Result<Self, Unreadable> {
        let Some(rest) = body.strip_prefix(MARK) else { return Ok(Self::Record(body)) };
        match rest.first() {
            Some(&RECORD) => Ok(Self::Record(body.slice(MARK.len() + 1..))),
            Some(&GRAVE) => Ok(Self::Grave),
            Some(_) | None => Err(Unreadable),
        }
    }
}

/// 128 bits that nobody else draws, in hexadecimal.
pub(super) fn drawn(kind: &'static str, operation: &'static str, key: &str) -> Result<String, StoreError> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).map_err(|cause| {
        let message = "the system gives no random bits; see that this process may read /dev/urandom";
        let error = StoreError::new(StoreErrorKind::Unavailable, kind, operation, key, message);
        error.caused_by(cause.to_string())
    })?;
    Ok(format!("{:032x}", u128::from_le_bytes(bits)))
}

fn marked(sign: u8, rest: &[u8]) -> Bytes {
    let mut body = BytesMut::with_capacity(MARK.len() + 1 + rest.len());
    body.put_slice(MARK);
    body.put_u8(sign);
    body.put_slice(rest);
    body.freeze()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(record: &'static [u8]) {
        let body = Body::of_record(Bytes::from_static(record));
        assert_eq!(Body::read(body), Ok(Body::Record(Bytes::from_static(record))));
    }

    #[test]
    fn a_record_is_stored_as_it_is() {
        assert_eq!(Body::of_record("{}".into()), "{}");
        round_trip(b"");
        round_trip(b"\0\xff");
    }

    #[test]
    fn a_record_that_looks_like_a_grave_is_none() {
        let grave = Body::of_grave("s3", "a").unwrap();
        let body = Body::of_record(grave.clone());
        assert_eq!(Body::read(body), Ok(Body::Record(grave)));
        round_trip(MARK);
    }

    #[test]
    fn every_grave_is_like_no_other() {
        let (first, second) = (Body::of_grave("s3", "a").unwrap(), Body::of_grave("s3", "a").unwrap());
        assert_ne!(first, second);
        assert_eq!(Body::read(first), Ok(Body::Grave));
    }

    #[test]
    fn a_mark_of_a_later_version_is_not_guessed_at() {
        assert_eq!(Body::read(marked(b'?', b"x")), Err(Unreadable));
        assert_eq!(Body::read(Bytes::from_static(MARK)), Err(Unreadable));
    }
}
