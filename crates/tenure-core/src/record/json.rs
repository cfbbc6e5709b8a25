//! Records as JSON. Whatever the bytes, reading them ends with a record or with a short reason.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::{FORMAT, Unknown};

/// The most characters of a reason: a parser may quote what it met, and that may be long.
const REASON_MAX: usize = 200;

/// The record as bytes.
pub(super) fn encode(record: &impl Serialize) -> Bytes {
    serde_json::to_vec(record).expect("records have string keys and finite numbers").into()
}

/// Reads a record of at most `most` bytes, or says why it can't be read. A longer one is not even looked into.
pub(super) fn decode<'de, T: Deserialize<'de>>(bytes: &'de [u8], most: usize) -> Result<T, String> {
    if bytes.len() > most {
        return Err(format!("it has {} bytes, more than {most}", bytes.len()));
    }
    serde_json::from_slice(bytes).map_err(|error| reason(bytes, &error))
}

/// Reads a record, and the fields that a `T` has not.
pub(super) fn decode_with_unknown<'de, T: Deserialize<'de>>(
    bytes: &'de [u8],
    most: usize,
) -> Result<(T, Unknown), String> {
    let record = decode(bytes, most)?;
    let unknown = Unknown::beside::<T>(bytes).map_err(|error| reason(bytes, &error))?;
    Ok((record, unknown))
}

/// Refuses a format that this build does not know.
pub(super) fn check_format(v: u32) -> Result<(), String> {
    if (1..=FORMAT).contains(&v) {
        return Ok(());
    }
    Err(format!("format {v} is not known here; this build reads up to {FORMAT}"))
}

#[derive(Deserialize)]
struct Head {
    v: u32,
}

/// A later format may have another shape: its number then says more than the first field that did not fit.
fn reason(bytes: &[u8], error: &serde_json::Error) -> String {
    let head = serde_json::from_slice::<Head>(bytes).ok();
    let newer = head.and_then(|head| check_format(head.v).err());
    newer.unwrap_or_else(|| error.to_string().chars().take(REASON_MAX).collect())
}
