//! Layers: stores around a store. Each adds one thing, and each passes the store suite.

pub mod faulty;
pub mod metered;
mod timeout;

pub use faulty::Faulty;
pub use metered::Metered;
pub use timeout::Timeout;
