//! What a promise looks at.

use super::Truth;
use crate::clock::Nanos;
use crate::machine_sim::Proc;

/// One instant of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) now: Nanos,
    pub(crate) procs: &'a [Proc],
    pub(crate) truth: &'a Truth,
}
