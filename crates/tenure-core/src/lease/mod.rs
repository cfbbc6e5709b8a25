//! Our own lease, from join to lapse (L1–L5).
//!
//! ```text
//!  idle ──► joining ──► held ──────────► going ──► over
//!             ▲ │         │ lapse          gone
//!             │ └ waiting  ▼
//!             └──────── lapsed   (all work ended, store healthy)
//! ```

mod attempts;
mod keeper;
#[cfg(test)]
mod keeper_tests;
mod said;
mod word;

pub use keeper::{Act, Keeper};
pub use said::Said;
pub use word::Word;
