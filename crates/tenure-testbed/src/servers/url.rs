//! The address that a test opens its store by.

use super::record;
use crate::Kind;
use crate::process::alive;

/// What a store is opened by that is to use the shared server of this kind.
///
/// # Panics
///
/// When that server is not up; the message is the one command to run.
pub fn url(kind: Kind) -> String {
    let up = record::read(kind).filter(|left| left.processes.iter().copied().all(alive));
    up.unwrap_or_else(|| panic!("{kind} is not up: run `cargo xtask servers up`")).url
}
