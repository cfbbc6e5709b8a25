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
//! Each rule becomes a test of its own name, on a store of its own.

pub mod rules;
mod run;
mod subject;
mod suite;

pub use crate::store_suite;
#[doc(hidden)]
pub use run::run;
pub use subject::Subject;
