//! Layers: journals around a journal. Each adds one thing, and each passes the journal suite.
//!
//! ```
//! use std::sync::Arc;
//! use std::time::Duration;
//! use tenure::journal::Memory;
//! use tenure::journal::layer::{Deadline, Layered, Metered};
//!
//! let figures = Metered::new();
//! let journal = Layered::new(Arc::new(Memory::new()), Deadline::of(Duration::from_secs(10)));
//! let journal = Layered::new(Arc::new(journal), figures.clone());
//! # let _ = journal;
//! assert_eq!(figures.figures().entries, 0);
//! ```

mod call;
mod deadline;
pub mod faulty;
mod layered;
pub mod metered;

pub use call::{Around, Call, Operation};
pub use deadline::Deadline;
pub use faulty::Faulty;
pub use layered::Layered;
use layered::LayeredClaim;
pub use metered::Metered;
