//! Spoils what a program reads, again and again, and sees that nothing breaks (I7).
//!
//! A target is a test whose name begins with `fuzz_`, in the crate whose code it is about:
//!
//! ```
//! fn fuzz_note() {
//!     tenure_fuzz::Target::new("note", [br#"{"text":"hello"}"#])
//!         .run(|bytes| serde_json::from_slice::<serde_json::Value>(bytes).is_ok());
//! }
//! # fuzz_note();
//! ```
//!
//! The answer says whether the bytes were understood: what was is spoilt further. A panic is a finding. In an ordinary run of
//! the tests a target is run some hundred times, from one fixed seed; `cargo xtask fuzz --minutes 10` runs all targets for that long,
//! from fresh seeds, and keeps what they found under `target/fuzz`.

mod budget;
mod finding;
pub mod http;
mod spoil;
mod target;
mod tree;
mod words;

pub use budget::{MILLIS, SEED};
pub use target::Target;
