//! What those decide who hold a member's child processes: no process and no clock is known here.
//!
//! A member that owns shards through child processes can be killed, frozen or hung; its children would go on. So others hold
//! them, and each answers for the one before it:
//!
//! | machine | decides |
//! |---|---|
//! | [`Machine`] | the warden: what runs, what is ended, and when an end is told |
//! | [`Vigil`] | the reaper: when the warden has failed, and when the kernel shall end the reaper itself |
//! | [`Pulse`] | the member: whether a helper still lives |
//! | [`Window`] | the member: how many starts are on their way |
//!
//! The lease is no message but a register, [`Term`]: it never waits behind anything.

mod machine;
mod message;
mod pulse;
mod vigil;
mod window;

pub use machine::{Action, Actions, Event, Machine};
pub use message::{Ending, JobId, Order, Report, Term, Work};
pub use pulse::Pulse;
pub use vigil::{Vigil, Vote};
pub use window::Window;
