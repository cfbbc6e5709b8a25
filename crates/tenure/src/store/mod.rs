//! Stores: the one trait that a backend implements, an in-process store, and layers around any of them.

mod contract;
mod error;
pub mod layer;
mod memory;
mod operation;
mod outcome;
mod probe;
mod witness;

pub use contract::{SharedStore, Store};
pub use error::{StoreError, StoreErrorKind};
pub use memory::Memory;
pub use operation::Operation;
pub use outcome::{Entry, Hint, Read, Removed, Written};
pub use probe::probe;
pub use tenure_core::message::{Versioned, When};
pub use tenure_core::record::Version;
pub use witness::{LAST_WORD, Registration, Witness};
