//! Refuses what must not come in: requests for strange hosts, from strange pages, and from people who may not.

mod brake;
mod browser;
mod gate;
mod hosts;
mod keyring;
mod person;
mod proxies;
mod role;
mod tokens;
mod who;

#[cfg(test)]
mod gate_tests;

pub use gate::{Gate, Reading};
pub use hosts::Hosts;
pub use keyring::Keyring;
pub use proxies::Proxies;
pub use role::Role;
pub use tokens::{TokenError, Tokens};

pub(crate) use browser::{own_origin, secure};
pub(crate) use hosts::known_host;
pub(crate) use who::{Admin, Operator, Viewer, Who};
