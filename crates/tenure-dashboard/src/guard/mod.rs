//! Refuses what must not come in: requests for strange hosts, and requests from strange pages.

mod headers;
mod hosts;
mod origin;

pub use hosts::Hosts;

pub(crate) use headers::secure;
pub(crate) use hosts::known_host;
pub(crate) use origin::own_origin;
