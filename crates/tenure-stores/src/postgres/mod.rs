//! The PostgreSQL store: any number of processes on any number of machines share a table.
//!
//! - **Writes** are single statements on the primary, each its own transaction, with `synchronous_commit` on for the session
//!   whatever the server's default is. A write that was sent and not answered is `Indeterminate`, and never sent again.
//! - **Versions** say when and where a content was written (timeline, position in the write-ahead log, cluster) and end in 128
//!   random bits, so none is ever given twice: not after a removal, not by two servers that both believe to be the primary.
//! - **Hints** are notifications, sent right behind each change with the new record. Whoever may connect can send them, so they are
//!   rumours: they say what to read again, and nobody believes them.
//! - **A fail-over** is noticed: a server with another identity is refused, so is one of an older timeline, and one that
//!   provably lacks a write which this handle has seen.
//!
//! One thread per handle drives its one connection, so work that blocks the caller's runtime holds up no call.
//!
//! A server with asynchronous standbys may lose acknowledged writes in a fail-over. No store on top of it can undo that; see
//! the guide on what it means and which settings rule it out.

mod brake;
mod client;
mod desk;
mod duty;
mod error;
mod journal;
mod layout;
mod news;
mod open;
mod room;
mod schema;
mod search;
mod session;
mod standing;
mod statement;
mod store;
mod tls;
mod url;
mod verifier;
mod version;
mod watch;
mod wire;

pub use journal::PostgresJournal;
pub use store::PostgresStore;
