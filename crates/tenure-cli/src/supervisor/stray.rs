//! Strays: processes that a job left behind, now the warden's own children.
//!
//! A daemon that leaves its parent, its group and its session is still a descendant, so the warden adopts it. Which job it
//! belongs to is told by its session, or by the shard and epoch in its environment. One that tells nothing could be of any job:
//! it is ended with the first job that ends, and that job's end is told only after it.

use std::fs;

use rustix::process::Pid;
use tenure::{Epoch, ShardId};

use super::tree::Status;

/// Names a child's shard in its environment.
pub(super) const SHARD: &str = "TENURE_SHARD";

/// Names a child's epoch in its environment.
pub(super) const EPOCH: &str = "TENURE_EPOCH";

/// Whose a stray is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    /// Of the job with this first process, or of that for this shard at this epoch; both if known.
    Known { session: Option<Pid>, fence: Option<(ShardId, Epoch)> },
    /// It has ended already.
    Ended,
}

impl Whose {
    /// Asks the system about `stray`.
    pub(super) fn is(stray: Pid) -> Self {
        let Some(status) = Status::of(stray) else { return Self::Ended };
        let path = format!("/proc/{}/environ", stray.as_raw_nonzero());
        let fence = fs::read(path).ok().and_then(|variables| fence_in(&variables));
        Self::Known { session: status.session, fence }
    }
}

fn fence_in(variables: &[u8]) -> Option<(ShardId, Epoch)> {
    let shard = value(variables, SHARD)?.parse().ok()?;
    let epoch = value(variables, EPOCH)?.parse().ok()?;
    Some((ShardId(shard), Epoch(epoch)))
}

fn value<'a>(variables: &'a [u8], name: &str) -> Option<&'a str> {
    let mut all = variables.split(|byte| *byte == 0);
    let found = all.find_map(|variable| variable.strip_prefix(name.as_bytes())?.strip_prefix(b"="));
    found.and_then(|value| std::str::from_utf8(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_names_the_job() {
        let variables = b"PATH=/bin\0TENURE_SHARDS=16\0TENURE_SHARD=3\0TENURE_EPOCH=7\0";
        assert_eq!(fence_in(variables), Some((ShardId(3), Epoch(7))));
    }

    #[test]
    fn an_environment_without_both_names_nothing() {
        assert_eq!(fence_in(b"TENURE_SHARD=3\0"), None);
        assert_eq!(fence_in(b"TENURE_SHARD=x\0TENURE_EPOCH=7\0"), None);
        assert_eq!(fence_in(b""), None);
    }
}
