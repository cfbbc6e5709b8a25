//! The etcd store: any number of machines share the etcd cluster that they run already.
//!
//! - **Writes** are transactions that compare a key's `mod_revision`: what was acknowledged is on a majority of etcd's members.
//! - **Versions** are those revisions. etcd draws them from one counter for the whole cluster and gives none twice.
//! - **Reads and listings** are linearizable.
//! - **Hints** come from a watch that resumes where it broke off, on another endpoint if need be.
//!
//! One endpoint is used until it fails; then the next. A write that was sent and not answered is never sent again: it may
//! have landed, and its caller is told so. What surely was not sent goes to the next endpoint at once.
//!
//! etcd's own leases are not used: whether a member lives is judged by members, on their own clocks, and a record that
//! vanished by etcd's clock would be a judgement of somebody else. Nothing here needs collecting either.
//!
//! Two limits come with etcd. It keeps every old revision until it is compacted, which it does by itself only if told to
//! (`--auto-compaction-retention`). And a cluster that was restored from a backup may draw a revision twice: handles that are
//! open refuse it, since it shows less than they have seen; run `tenure store recover`, and restart them.

mod attempt;
mod circle;
mod client;
mod endpoint;
mod error;
mod keyring;
mod line;
mod listing;
mod message;
mod open;
mod own;
mod range;
mod refusal;
mod sight;
mod store;
mod thread;
mod tls;
mod url;
mod watch;

pub use store::EtcdStore;
