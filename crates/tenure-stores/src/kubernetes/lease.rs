//! Members: Leases that people can read.
//!
//! The record is in an annotation, as it is. What it says of the member is said again in the words of a Lease, for `kubectl` and
//! for people; nothing is ever read from there:
//!
//! | Lease | record |
//! |---|---|
//! | `holderIdentity` | the life that holds it, `id#line.term`; nobody, once it is closed |
//! | `leaseDurationSeconds`, `renewTime` | the lease's length; the member's wall clock when it wrote |
//! | `leaseTransitions` | how often the lease has changed hands: `term` − 1 |
//! | label `tenure/state` | `active`, `leaving`, `gone` or `deposed` |
//!
//! A member that says of itself that it has gone makes its Pod the owner of the Lease: the garbage collector removes it with the
//! Pod, also where no other member is left to forget it. An open Lease has no owner: others wait much longer for a record
//! that vanished than for one that falls silent, so a Pod that is deleted by force must not take its Lease along.

use std::time::Duration;

use bytes::Bytes;
use k8s_openapi::ByteString;
use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{MicroTime, ObjectMeta};
use k8s_openapi::jiff::Timestamp;
use serde_json::Value;
use tenure_core::ids::MemberId;
use tenure_core::record::{MemberRecord, MemberState};

use super::content::{as_text, of_text};
use super::error::Trouble;
use super::kept::{Draft, Kept};

/// The most bytes that the annotations of an object have together, names included.
const BYTES_MAX: usize = 256 << 10;

/// The annotation that holds a record that is text, and the one for any other.
const TEXT: &str = "tenure/record";
const BASE64: &str = "tenure/record-base64";

impl Kept for Lease {
    const IN_METADATA: bool = true;

    fn wrap(draft: Draft<'_>) -> Result<Self, Trouble> {
        let Draft { key, mut meta, value, pod } = draft;
        let annotations = meta.annotations.get_or_insert_default();
        match as_text(&value) {
            Some(text) => annotations.insert(TEXT.into(), text.into()),
            None => annotations.insert(BASE64.into(), in_base64(value.clone())),
        };
        let size = annotations.iter().map(|(name, value)| name.len() + value.len()).sum();
        fits(size)?;
        let Some((id, record)) = member(key, &value) else {
            return Ok(Self { metadata: meta, spec: None });
        };
        if record.state == MemberState::Gone && record.by.is_none() {
            meta.owner_references = pod.map(|pod| vec![pod.as_owner()]);
        }
        meta.labels.get_or_insert_default().insert("tenure/state".into(), state(record.state).into());
        Ok(Self { metadata: meta, spec: Some(spec(&id, &record)) })
    }

    fn content(&self) -> Option<Bytes> {
        record_in(&self.metadata)
    }
}

/// The record that the metadata of a Lease hold.
pub(super) fn record_in(meta: &ObjectMeta) -> Option<Bytes> {
    let annotations = meta.annotations.as_ref()?;
    let text = annotations.get(TEXT).map(|text| of_text(text));
    text.or_else(|| annotations.get(BASE64).and_then(|text| of_base64(text)))
}

fn fits(size: usize) -> Result<(), Trouble> {
    if size <= BYTES_MAX {
        return Ok(());
    }
    Err(Trouble::TooLarge(format!("it takes {size} bytes, and the annotations of a Lease hold {BYTES_MAX}")))
}

/// What a record says, if it is a member's; any other is kept all the same.
fn member(key: &str, value: &[u8]) -> Option<(MemberId, MemberRecord)> {
    let id: MemberId = key.rsplit('/').next()?.parse().ok()?;
    let record = MemberRecord::decode(&id, value, Duration::MAX).ok()?;
    Some((id, record))
}

fn spec(id: &MemberId, record: &MemberRecord) -> LeaseSpec {
    let renewed = record.at_ms.and_then(|at| Timestamp::from_millisecond(at.try_into().ok()?).ok());
    LeaseSpec {
        holder_identity: record.state.is_open().then(|| record.life(id).to_string()),
        lease_duration_seconds: Some(record.ttl_ms.div_ceil(1000).try_into().unwrap_or(i32::MAX)),
        lease_transitions: Some(record.term.saturating_sub(1).try_into().unwrap_or(i32::MAX)),
        renew_time: renewed.map(MicroTime),
        ..LeaseSpec::default()
    }
}

fn state(state: MemberState) -> &'static str {
    match state {
        MemberState::Active => "active",
        MemberState::Leaving => "leaving",
        MemberState::Gone => "gone",
        MemberState::Deposed => "deposed",
    }
}

fn in_base64(value: Bytes) -> String {
    match serde_json::to_value(ByteString(value.into())) {
        Ok(Value::String(text)) => text,
        other => unreachable!("bytes are written as a string, not as {other:?}"),
    }
}

fn of_base64(text: &str) -> Option<Bytes> {
    serde_json::from_value::<ByteString>(Value::String(text.into())).ok().map(|bytes| bytes.0.into())
}

#[cfg(test)]
#[path = "lease_tests.rs"]
mod tests;
