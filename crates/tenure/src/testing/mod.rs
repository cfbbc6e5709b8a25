//! The store suite: what a backend must do, as tests that anybody's backend can run.
//!
//! ```
//! use tenure::store::Memory;
//! use tenure::testing::{Subject, store_suite};
//!
//! async fn my_store() -> Subject {
//!     let store = Memory::new();
//!     Subject::new(store.clone()).with_second_handle(store)
//! }
//!
//! store_suite!(my_store);
//! # fn main() {}
//! ```
//! Each rule becomes a test of its own name, on a store of its own. Most try one thing at a time; one soaks the store in thousands
//! of calls at once ([`Soak`]) and finds what fails rarely. Which bad stores are found, and by which rule, is shown by the suite's
//! own tests: writes that are lost now and then, old reads, removals that are not atomic, lists that are cut short or torn,
//! watches that go silent.
//!
//! A soak also runs by itself, on a store that is in use, under a prefix of its own:
//!
//! ```
//! # use std::sync::Arc;
//! # use tenure::store::{Memory, SharedStore};
//! use tenure::testing::Soak;
//!
//! # async fn soaked() -> Result<(), tenure::testing::Breach> {
//! # let store: SharedStore = Arc::new(Memory::new());
//! # let other = store.clone();
//! let tally = Soak::of(500).run(&store, &other, "orders/probe/4711/").await?;
//! println!("{} writes made sense", tally.writes);
//! # Ok(())
//! # }
//! ```

pub mod journal;
pub mod rules;
mod soak;
mod subject;
mod suite;

pub use crate::{journal_suite, store_suite};
pub use soak::{Breach, Soak, Tally};
pub use subject::Subject;
#[doc(hidden)]
pub use suite::run;
pub use suite::{RULES, Rule};
