//! etcd's messages, as far as this store uses them.
//!
//! They are written by hand, so that nobody needs a compiler for protocol buffers or a thousand generated lines. Numbers and
//! meanings are those of etcd's public API. A field that is missing here is skipped when it arrives and never sent.

use std::fmt;

use bytes::Bytes;

/// What every answer begins with: who gave it, and how far that member had come.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub(super) struct Header {
    #[prost(uint64, tag = "1")]
    pub(super) cluster_id: u64,
    #[prost(int64, tag = "3")]
    pub(super) revision: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct KeyValue {
    #[prost(bytes = "bytes", tag = "1")]
    pub(super) key: Bytes,
    #[prost(int64, tag = "3")]
    pub(super) mod_revision: i64,
    #[prost(bytes = "bytes", tag = "5")]
    pub(super) value: Bytes,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct RangeRequest {
    #[prost(bytes = "bytes", tag = "1")]
    pub(super) key: Bytes,
    /// Empty for one key.
    #[prost(bytes = "bytes", tag = "2")]
    pub(super) range_end: Bytes,
    /// Zero for all.
    #[prost(int64, tag = "3")]
    pub(super) limit: i64,
    /// Zero for the newest.
    #[prost(int64, tag = "4")]
    pub(super) revision: i64,
    #[prost(bool, tag = "9")]
    pub(super) count_only: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct RangeResponse {
    #[prost(message, optional, tag = "1")]
    pub(super) header: Option<Header>,
    #[prost(message, repeated, tag = "2")]
    pub(super) kvs: Vec<KeyValue>,
    #[prost(bool, tag = "3")]
    pub(super) more: bool,
    #[prost(int64, tag = "4")]
    pub(super) count: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct PutRequest {
    #[prost(bytes = "bytes", tag = "1")]
    pub(super) key: Bytes,
    #[prost(bytes = "bytes", tag = "2")]
    pub(super) value: Bytes,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct DeleteRangeRequest {
    #[prost(bytes = "bytes", tag = "1")]
    pub(super) key: Bytes,
}

/// What a key must be for a transaction to take its first branch.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Compare {
    #[prost(enumeration = "Target", tag = "2")]
    pub(super) target: i32,
    #[prost(bytes = "bytes", tag = "3")]
    pub(super) key: Bytes,
    #[prost(oneof = "Expected", tags = "5, 6")]
    pub(super) expected: Option<Expected>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, prost::Enumeration)]
#[repr(i32)]
pub(super) enum Target {
    /// Not used; the first of an enumeration has to be named.
    Version = 0,
    Created = 1,
    Modified = 2,
}

#[derive(Clone, Copy, PartialEq, prost::Oneof)]
pub(super) enum Expected {
    /// Zero for a key that is not there.
    #[prost(int64, tag = "5")]
    Created(i64),
    #[prost(int64, tag = "6")]
    Modified(i64),
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Step {
    #[prost(oneof = "Act", tags = "1, 2, 3")]
    pub(super) act: Option<Act>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(super) enum Act {
    #[prost(message, tag = "1")]
    Range(RangeRequest),
    #[prost(message, tag = "2")]
    Put(PutRequest),
    #[prost(message, tag = "3")]
    Delete(DeleteRangeRequest),
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct TxnRequest {
    #[prost(message, repeated, tag = "1")]
    pub(super) compare: Vec<Compare>,
    #[prost(message, repeated, tag = "2")]
    pub(super) success: Vec<Step>,
    #[prost(message, repeated, tag = "3")]
    pub(super) failure: Vec<Step>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct TxnResponse {
    #[prost(message, optional, tag = "1")]
    pub(super) header: Option<Header>,
    #[prost(bool, tag = "2")]
    pub(super) succeeded: bool,
    #[prost(message, repeated, tag = "3")]
    pub(super) responses: Vec<StepResponse>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct StepResponse {
    #[prost(message, optional, tag = "1")]
    pub(super) range: Option<RangeResponse>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct WatchRequest {
    #[prost(oneof = "WatchAsk", tags = "1, 3")]
    pub(super) ask: Option<WatchAsk>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(super) enum WatchAsk {
    #[prost(message, tag = "1")]
    Create(WatchCreate),
    /// "Are you there, and how far have you come?"
    #[prost(message, tag = "3")]
    Progress(WatchProgress),
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct WatchCreate {
    #[prost(bytes = "bytes", tag = "1")]
    pub(super) key: Bytes,
    #[prost(bytes = "bytes", tag = "2")]
    pub(super) range_end: Bytes,
    #[prost(int64, tag = "3")]
    pub(super) start_revision: i64,
    #[prost(bool, tag = "4")]
    pub(super) progress_notify: bool,
    /// Allows an answer to come in pieces.
    #[prost(bool, tag = "8")]
    pub(super) fragment: bool,
}

#[derive(Clone, Copy, PartialEq, prost::Message)]
pub(super) struct WatchProgress {}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct WatchResponse {
    #[prost(message, optional, tag = "1")]
    pub(super) header: Option<Header>,
    #[prost(bool, tag = "4")]
    pub(super) canceled: bool,
    /// Not zero if the revision asked for is forgotten.
    #[prost(int64, tag = "5")]
    pub(super) compact_revision: i64,
    #[prost(string, tag = "6")]
    pub(super) cancel_reason: String,
    /// More of this answer follows.
    #[prost(bool, tag = "7")]
    pub(super) fragment: bool,
    #[prost(message, repeated, tag = "11")]
    pub(super) events: Vec<Event>,
}

/// A key was written or removed; for a removal the value is empty and `mod_revision` is that of the removal.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Event {
    #[prost(enumeration = "EventKind", tag = "1")]
    pub(super) kind: i32,
    #[prost(message, optional, tag = "2")]
    pub(super) kv: Option<KeyValue>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, prost::Enumeration)]
#[repr(i32)]
pub(super) enum EventKind {
    Put = 0,
    Delete = 1,
}

#[derive(Clone, PartialEq, prost::Message)]
#[prost(skip_debug)]
pub(super) struct AuthenticateRequest {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(string, tag = "2")]
    pub(super) password: String,
}

impl fmt::Debug for AuthenticateRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuthenticateRequest").field("name", &self.name).finish_non_exhaustive()
    }
}

#[derive(Clone, PartialEq, prost::Message)]
#[prost(skip_debug)]
pub(super) struct AuthenticateResponse {
    #[prost(string, tag = "2")]
    pub(super) token: String,
}

impl fmt::Debug for AuthenticateResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuthenticateResponse").finish_non_exhaustive()
    }
}
