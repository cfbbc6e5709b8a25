//! Exclusive ownership of shards: at most one live owner each, always; exactly one, soon; on the store you already run.
//!
//! # The problem
//!
//! A fleet of processes divides work into shards: partitions of a queue, ranges of keys, tenants, controllers. Each shard
//! must be worked on by one process, never by two; when a process dies, another must take over; when one is added, it should
//! get its share. A lock per shard with a time-out looks like an answer until a process pauses, wakes up after its lock
//! expired, and goes on writing.
//!
//! # The promise
//!
//! **For every shard, at most one member acts as its owner at any instant. And whenever the store and enough members live,
//! every shard has an owner.**
//!
//! What that rests on:
//! - work asks its guard, [`Shard::check`], before an effect leaves the process. The guard is false *before* anyone else can
//!   own the shard, even if the process was paused, the store is unreachable, or the runtime is starved;
//! - the store keeps its word: reads are linearizable, and a write whose condition does not hold is refused. This is tested at
//!   each start;
//! - clocks run at the same rate within 1% ([`Settings::clock_drift`]). They need not agree on the time. Whether the own clock
//!   can be trusted is checked at each renewal;
//! - work that does not end when it must is ended with its process, by a watchdog ([`OnStuck`]).
//!
//! What it does not promise: an effect that was sent *while* the guard held can arrive later than that, at a sink that does
//! not look. Pass [`Shard::fence`] to every sink that can refuse an older owner; that closes the gap. A store that loses
//! acknowledged writes breaks the promise, as does a running machine that is copied.
//!
//! # The words
//!
//! - **Member**: one process of the fleet, with an id. It holds one *lease* in the store, and renews it; that is all that
//!   an idle cluster writes, however many shards it has.
//! - **Shard**: a unit of ownership, by number. Keys map to shards by a hash that never changes ([`Router::shard_of`]).
//! - **Epoch**: numbers the owners of one shard, strictly growing. With the shard's number it is a [`Fence`].
//! - **Lapse**: the lease is over, or may be: every guard is closed first, then all work is interrupted. The member joins
//!   again by itself.
//! - **Drain**: a planned move. The owner finishes and returns; then, and not before, its heir begins.
//!
//! # An example
//!
//! ```
//! use std::sync::Arc;
//! use tenure::{Member, Shard, store::Memory};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), tenure::Error> {
//! let store = Memory::new(); // members of one process; use SQLite or a server to span more
//! let member = Member::builder(store).cluster("orders").shards(8).start().await?;
//! let member = Arc::new(member);
//!
//! # let (done, mut jobs_done) = tokio::sync::mpsc::unbounded_channel();
//! let handler = move |shard: Shard| {
//! #   let done = done.clone();
//!     async move {
//!         for job in ["pick", "pack", "ship"] {
//!             shard.check()?; // nanoseconds; false before anyone else can own the shard
//!             println!("{job} for {} as {}", shard.id(), shard.fence());
//!             if shard.draining() {
//!                 break; // a planned move: finish, then return
//!             }
//!         }
//! #       done.send(shard.id()).ok();
//!         Ok(()) // an error or a panic: called again after a pause
//!     }
//! };
//! let running = tokio::spawn({
//!     let member = Arc::clone(&member);
//!     async move { member.run(handler).await } // once for each shard gained
//! });
//! # for _ in 0..8 { jobs_done.recv().await; }
//!
//! println!("order-17 belongs to {:?}", member.owner_of("order-17"));
//! member.leave().await?; // hands everything on
//! running.await.expect("the task ends with the member")?;
//! # Ok(())
//! # }
//! ```
//!
//! # Platforms
//!
//! Linux is what it is tested on. It builds on macOS too, with a clock that goes on while the machine sleeps, and fewer others to check it
//! against. The lowest Rust that builds it is 1.89.
//!
//! # Where to go on
//!
//! - [`Member::run`] calls a handler for each shard; [`Member::run_warmed`] loads state while the former owner still works;
//!   [`Member::events`] gives shards away to those who don't want handlers.
//! - [`Settings`] are plain data with human durations; most people set the cluster and its shard count.
//! - [`Member::snapshot`] is all that a member knows; [`Member::metrics`] its figures.
//! - [`store`] has the one trait that a backend implements, and layers around any store.

pub mod clock;
pub mod cluster;
mod driver;
mod error;
pub mod journal;
pub mod member;
pub mod metric;
mod router;
pub mod settings;
mod shard;
pub mod store;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod watchdog;

pub use cluster::Cluster;
pub use error::{BoxError, Error, ErrorKind};
pub use member::{Event, Events, Member, MemberBuilder, OnStuck, Snapshot};
pub use router::{Route, Router};
pub use settings::Settings;
pub use shard::{Fence, Shard};
pub use tenure_core::ids::{ClusterName, Epoch, Lineage, MemberId, ShardId};
pub use tenure_core::plan::Placement;

/// The program in the crate's README is compiled with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
