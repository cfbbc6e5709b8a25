//! Who should own what.

mod placement;

pub use placement::Placement;
