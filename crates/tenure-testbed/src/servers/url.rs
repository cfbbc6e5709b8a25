//! The address that a test opens its store by: that of a server which somebody gave us, or else of the one that we started.

use super::record;
use crate::Kind;
use crate::process::alive;

/// What a store is opened by that is to use the shared server of this kind.
///
/// # Panics
///
/// When none is given and ours is not up; the message says what to do.
pub fn url(kind: Kind) -> String {
    let ours = || record::read(kind).filter(|left| left.processes.iter().copied().all(alive));
    given(kind).or_else(|| ours().map(|left| left.url)).unwrap_or_else(|| {
        panic!("{kind} is not up: run `cargo xtask servers up`, or give one by {}", kind.variable())
    })
}

/// The address of a server that is not ours. It is neither installed nor started nor ended.
pub fn given(kind: Kind) -> Option<String> {
    std::env::var(kind.variable()).ok().filter(|url| !url.is_empty())
}
