//! A fleet of real member processes on one machine, and what their work wrote down.
//!
//! Shared by the tests and the benches: each of their binaries starts itself again as a member (see [`child`]). On one
//! machine the boot-time clock is the same for all processes, so what the beats say about overlap is exact.

#![allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "the tests use one part of it, the benches another"
)]

pub mod beats;
pub mod child;
pub mod comeback;
pub mod deck;
pub mod intruder;
pub mod links;
pub mod processes;
pub mod servers;
pub mod storm;

pub use beats::Beats;
pub use child::Spec;
pub use comeback::Comeback;
pub use deck::Deck;
pub use intruder::Intruder;
pub use links::Links;
pub use processes::Fleet;
pub use servers::Target;
pub use storm::{Blow, Storm};
