//! What an invariant looks at.

use super::Truth;
use crate::clock::Nanos;
use crate::world::Proc;

/// One instant of the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) now: Nanos,
    pub(crate) procs: &'a [Proc],
    pub(crate) truth: &'a Truth,
}
