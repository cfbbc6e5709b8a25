//! Refuses what must not come in: requests for strange hosts, from strange pages, and acting without a token.

mod headers;
mod hosts;
mod origin;
mod tokens;
mod who;

pub use hosts::Hosts;
pub use tokens::{TokenError, Tokens};

pub(crate) use headers::secure;
pub(crate) use hosts::known_host;
pub(crate) use origin::own_origin;
pub(crate) use tokens::Who;
