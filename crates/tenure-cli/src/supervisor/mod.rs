//! The supervisor of a member's commands: small separate processes that end them no later than the lease.
//!
//! A member that owns shards through child processes can be killed, frozen or hung; its children would go on. So they are
//! not its own: the [`warden`] starts them, ends them and waits for them, fed by the member over a socket. Between the two stands
//! the [`reaper`], which ends what the warden leaves behind. The member holds a [`Supervisor`], its end of all this.
//! What each of them decides is in [`tenure_core::warden`].
//!
//! ```text
//!                                        ┌─ a PID namespace, where the kernel gives one ───────────────┐
//!   member ──starts──► reaper ──starts──►│ warden ──starts──► child (own session) ──► grandchildren     │
//!      │ ▲               │ ▲             └─▲─│─────────────────────────────────────────────────────────┘
//!      │ └────reports────┼─┼───────────────┘ │         when one dies, those to its right die too:
//!      ├──orders─────────┼─┼────────────────►│         the kernel tells the warden and direct children,
//!      └──lease──────► slate ◄──pulses, guard┘         and ends the namespace with its first process
//! ```
//!
//! | what happens | who ends the children | when others may own |
//! |---|---|---|
//! | member killed | the warden | the reaper has seen it and says so: at once |
//! | member frozen or hung | the warden, before the lease ends | when the lease has ended |
//! | warden or reaper killed | the kernel | when the member has left: at once |
//! | warden or reaper frozen | the member, which misses their pulse and kills the reaper | when the member has left |
//! | member and warden killed or frozen, in any mixture | the reaper, before the lease ends | the reaper says so; or the lease has ended |
//! | the reaper too | the kernel: by the reaper's death, or by its timer, before the lease ends | when the lease has ended |
//!
//! **The lease** is no message: it stands in memory that all share ([`slate`]), so that it never waits behind starts or in a
//! socket that is not read.
//!
//! **The proof of death** ([`tenure::store::Registration`]) is a lock that is free, *and* the last word of somebody who held it
//! and has seen that nothing acts: the reaper, or the member on its way out. If all are killed at one instant there is no
//! such word, and takeover waits for the lease.
//!
//! **What is not covered.** Without a namespace ([`namespace`] says who gets one): grandchildren that left their parent's
//! session, if member and reaper are killed at one instant, or the reaper while the member is frozen; and set-user-id programs, which lose
//! the kernel's death signal and may refuse ours. With one: processes that the kernel itself can't end, since they
//! sleep uninterruptibly or are frozen by a first-version cgroup.
//!
//! Linux only: it rests on namespaces, death signals, sub-reapers, timers and `/proc`.

mod alarm;
mod args;
mod child;
mod children;
mod entry;
#[cfg(test)]
mod fuzz_tests;
mod handle;
mod isolation;
mod job_index;
mod jobs;
mod kill_timer;
mod namespace;
mod reaper;
mod records;
mod slate;
mod stray;
mod tree;
mod wakefulness;
mod warden;
mod wire;

pub(crate) use entry::called;
pub(crate) use handle::{Job, Plan, Supervisor};
pub(crate) use isolation::Isolate;
pub(crate) use tree::raise_descriptor_limit;
