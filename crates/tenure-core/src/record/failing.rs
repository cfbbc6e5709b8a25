//! Work that fails, as its member's record says it: owning a shard is no use if nothing runs for it.

use serde::{Deserialize, Serialize};

use crate::ids::ShardId;

/// The most shards that a record tells failures of: enough to be called, few enough to be read.
pub const FAILING_MAX: usize = 64;

/// The most characters of an error that a record tells.
const ERROR_MAX: usize = 200;

/// One shard whose work fails and is tried again. It is for people, and nothing is decided by it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failing {
    /// The shard.
    pub shard: ShardId,
    /// Failures in a row.
    pub failures: u32,
    /// What the last one said.
    pub error: String,
    /// When it is tried next, by the member's wall clock; `None` if it runs at present.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_at_ms: Option<u64>,
}

impl Failing {
    /// The same, with as much of its error as a record tells.
    #[must_use]
    pub fn told(mut self) -> Self {
        if let Some((end, _)) = self.error.char_indices().nth(ERROR_MAX) {
            self.error.truncate(end);
            self.error.push('…');
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_error_is_cut_between_characters() {
        let failing = |error: String| Failing { shard: ShardId(1), failures: 1, error, retry_at_ms: None };
        assert_eq!(failing("ü".repeat(200)).told().error.chars().count(), 200);
        let cut = failing("ü".repeat(201)).told().error;
        assert!(cut.ends_with("ü…") && cut.chars().count() == 201, "{cut}");
    }
}
