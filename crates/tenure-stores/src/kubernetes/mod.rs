//! The Kubernetes store: members of a cluster keep their records in the API server that they run under.
//!
//! - **Members** are `coordination.k8s.io/v1` Leases, which `kubectl get leases` shows with holder and age; the record itself is
//!   in an annotation. **Everything else** (meta, ledger pages) is a ConfigMap.
//! - **Writes**: a new record is a POST; a replacement is a PUT that names both `resourceVersion` and `uid`; a removal names
//!   both as preconditions. Either alone is not enough: a PUT of a Lease that is gone *creates* it, unless its uid is named.
//! - **Versions** are uid and resourceVersion together, so none comes back after a removal.
//! - **Reads** of one record are quorum reads; a page that is known already is asked for its metadata alone. Listings come from
//!   the API server's watch cache, yet are never older than what this handle has seen.
//! - **Hints** are ordinary watches of metadata, resumed where they broke off. A member's hint brings its record
//!   along, so that nobody reads what everybody was told.
//! - **Garbage collection**: a member that runs in a Pod and has gone leaves its Lease to the Pod, to be removed with it.
//! - **Proof of death**, where the address says `proof=pod`, is a word that a process leaves in its container's termination log
//!   and that the kubelet reports once that very container has ended.
//!
//! Limits come with the API server: a ConfigMap holds a mebibyte, the annotations of a Lease 256 KiB together. What is larger
//! is refused before it is sent. The client's own retries are off: a write that landed and was answered by 503 would be sent
//! again and told as lost.

mod answer;
mod client;
mod content;
mod error;
mod feed;
mod kept;
mod lease;
mod map;
mod name;
mod obituary;
mod open;
mod place;
mod pod;
mod shelf;
mod store;
mod url;
mod version;
mod watch;
mod witness;

pub use store::KubernetesStore;
