//! Stores: the one trait that a backend implements, an in-process store, and layers around any of them.

mod contract;
mod error;
pub mod layer;
mod memory;
mod operation;
mod outcome;
mod probe;
mod witness;

/// What [`Store`] is written with, so that an author needs no further crates.
#[doc(no_inline)]
pub use async_trait::async_trait;
#[doc(no_inline)]
pub use bytes::Bytes;
pub use contract::{SharedStore, Store};
pub use error::{StoreError, StoreErrorKind};
#[doc(no_inline)]
pub use futures_util::stream::BoxStream;
pub use memory::Memory;
pub use operation::Operation;
pub use outcome::{Entry, Hint, Read, Removed, Written};
pub use probe::probe;
pub use tenure_core::ids::Process;
pub use tenure_core::message::{Versioned, When};
pub use tenure_core::record::Version;
pub use witness::{LAST_WORD, Registration, Witness};
