//! The warden: a small separate process that holds a member's children and the end of its lease.
//!
//! A member that owns shards through child processes can be killed, frozen or hung; its children would go on. So they are
//! not its own: the warden starts them, ends them and waits for them, fed by the member over a socket. Between the two stands
//! the sexton, which does nothing while all is well: it ends what the warden leaves behind.
//!
//! ```text
//!   member ──────orders, lease──────► warden ──starts──► child (own session) ──► grandchildren
//!      │  ◄─────────reports──────────   ▲
//!      └──lease──► sexton ──starts──────┘    whoever dies takes those to its right with it: the kernel tells
//!                                            direct children; the next to the left adopts and ends the rest
//! ```
//!
//! | what happens | who ends the children | when others may own |
//! |---|---|---|
//! | member killed | the warden | the lock is free: at once |
//! | member frozen or hung | the warden, before the lease ends | when the lease has ended |
//! | warden killed | the kernel; the sexton for the rest | when the member has left: at once |
//! | warden frozen | the sexton, which kills it before the lease ends; or the member that wants a child's end | when the member has left |
//! | member and warden killed, or one killed and one frozen | the kernel and the sexton | the lock is free: at once |
//! | member and warden frozen | the sexton, before the lease ends | when the lease has ended |
//! | sexton killed | the kernel kills the warden, that kills the children; the member for the rest | when the member has left: at once |
//!
//! **The lock.** What proves a process dead ([`tenure::store::Registration`]) is a lock that is free once its last copy is
//! closed. Member, sexton, warden and every child hold a copy, on purpose: the kernel closes a dying warden's files *before* it
//! tells the children, so a lock that the children did not hold would be free while they still run. Grandchildren inherit it
//! too; those that close what they don't know are covered by the warden and the sexton, which hold it until all are gone.
//!
//! **What is not covered.** Member and sexton killed at one instant: the kernel ends the warden and the children, but
//! grandchildren get no signal; they keep the lock, so that takeover waits for the lease, and then go on. The sexton killed while
//! the member is frozen: the same, until the member goes on. All three frozen while the children are not. And set-user-id
//! programs, which lose the kernel's death signal and may refuse ours.
//!
//! Linux only: it rests on death signals, sub-reapers and `/proc`.

mod alarm;
mod calling;
mod child;
mod entry;
mod handle;
mod machine;
mod message;
mod nursery;
mod records;
mod serve;
mod sexton;
mod stray;
mod tree;
mod vigil;
mod wire;

pub(crate) use entry::called;
pub(crate) use handle::{Job, Plan, Warden};
pub(crate) use message::{Ending, Work};
pub(crate) use tree::raise_descriptor_limit;
