//! Object storage: any number of processes anywhere share a bucket of S3, Google Cloud Storage or Azure Blob Storage.
//!
//! - **Writes** are PUTs with a condition (`If-Match`, `If-None-Match`, `x-goog-if-generation-match`), each sent once.
//!   One that was not answered is `Indeterminate`, never tried again in here; so is every 5xx. A 409 of S3 says that
//!   two writes met and this one was not carried out: a conflict, though what is there may be unchanged.
//! - **Versions** are ETags, or generations with Google. An S3 ETag is a hash of the content: equal contents have equal
//!   versions.
//! - **Removal** may leave a grave: see below.
//! - **Hints** there are none: members look again on their own. A look that finds nothing new costs one LIST.
//!
//! # Graves
//!
//! Amazon and Google remove conditionally, and so does this store there. The conditional DELETE of other servers can't be
//! trusted: some ignore the condition, some refuse it, and Ceph's is not atomic and has taken away what a racing write had
//! stored. There a removal is a conditional *write*: of a grave, a body that no record can have and that readers take for
//! nothing. To create a record where a grave is means to replace that very grave. Each grave holds 128 random bits, so
//! that no version of one ever comes back, even where versions are hashes: a write that was meant for one grave, and
//! comes late, can't land on another. Graves are not collected; `removal.rs` says why. They are some sixty bytes each, one
//! for every member id that ever was, and are read once by each handle.
//!
//! # Limits
//!
//! The server must honour conditional writes atomically; each member's first join probes it. `docs/guide/stores.md`
//! lists which servers do. Google allows one write per second to one object. Lifecycle rules must leave the prefix
//! alone.

mod advice;
mod body;
mod cache;
mod client;
mod error;
mod journal;
mod lifecycle;
mod listing;
mod open;
mod refusal;
mod removal;
mod shelf;
mod stamp;
mod store;
mod url;
mod wire;

pub use journal::JournalBucket;
pub use store::ObjectStore;
