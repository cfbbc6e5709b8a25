//! The embedded store: any number of processes on one machine share a SQLite file.
//!
//! - **Writes** are immediate transactions in WAL mode with full synchronisation: what was acknowledged survives a power cut.
//! - **Versions** come from one counter for the whole database, drawn in the transaction that uses it.
//! - **Hints** come from inotify on the file of the greatest version drawn, which every commit is followed by, and bring the changed
//!   records. What other programs change is found by SQLite's own change counter, once a second.
//! - **Proof of death** is an advisory lock on a file of each process: the kernel lets go of it when the process ends, however
//!   that happens, and not a moment before.
//!
//! One thread per handle owns the connection and answers over channels, so no caller ever waits on a lock or a disk.
//!
//! All files belong to one user, as whom all members run, and nobody else can write them. An older copy of the database, put in its
//! place by whatever means, is noticed and refused.
//!
//! Two limits come with SQLite. The file must be on a local disk: network file systems are refused. And a process that is
//! *stopped* (not killed) in the midst of a write keeps the write lock: until it goes on or dies, others can read, not write.

mod client;
mod custody;
mod database_file;
mod desk;
mod drawn;
mod error;
mod journal;
mod lock;
mod look;
mod news;
mod open;
mod premises;
mod statement;
mod store;
mod url;
mod waiters;
mod watch;
mod witness;

pub use journal::SqliteJournal;
pub use store::SqliteStore;
