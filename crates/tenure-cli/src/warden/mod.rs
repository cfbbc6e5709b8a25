//! The warden: a small separate process that holds a member's children and the end of its lease.
//!
//! A member that owns shards through child processes can be killed, frozen or hung; its children would go on. So they are
//! not its own: the warden starts them, ends them and waits for them, fed by the member over a socket.
//!
//! ```text
//!   member ──orders, lease──► warden ──starts──► child (own session) ──► grandchildren
//!     ▲  ◄─────reports──────    │                  │
//!     │                         └ ends what it     └ gets SIGKILL from the kernel when the warden dies
//!     └ adopts all of them        holds at the
//!       when the warden dies      lease's end
//! ```
//!
//! | what happens | who ends the children | when others may own |
//! |---|---|---|
//! | member killed | the warden, on the socket's end | the lock is free: at once |
//! | member frozen or hung | the warden, before the lease ends | when the lease has ended |
//! | warden killed | the kernel, and the member, which adopts them | when the member has left: at once |
//! | warden frozen | the member, which kills the warden first | when the member has left: at once |
//! | both killed at once | the kernel | the lock is free when the last child is dead |
//!
//! **The lock.** What proves a process dead ([`tenure::store::Registration`]) is a lock that is free once its last copy is
//! closed. Member, warden and every child hold a copy, on purpose: the kernel closes a dying warden's files *before* it tells
//! the children, so a lock that the children did not hold would be free while they still run. A grandchild inherits it too;
//! a program that closes descriptors it doesn't know is covered by the warden, but not if member and warden are killed at
//! the same instant.
//!
//! **What is not covered.** If member and warden are killed at once, a grandchild gets no signal: nobody is left to send it. It
//! keeps the lock, so that takeover waits for the lease instead of the lock; but it does go on. The same holds if both are
//! frozen at once and the children are not. A set-user-id program loses the kernel's death signal and may refuse ours.
//!
//! Linux only: it rests on death signals, sub-reapers and `/proc`.

mod child;
mod entry;
mod handle;
mod machine;
mod message;
mod nursery;
mod records;
mod serve;
mod stray;
mod tree;
mod wire;

pub(crate) use entry::called;
pub(crate) use handle::{Job, Plan, Warden};
pub(crate) use message::{Ending, Work};
pub(crate) use tree::raise_descriptor_limit;
