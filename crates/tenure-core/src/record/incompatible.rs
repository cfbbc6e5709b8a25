//! A record that can't be used, and why.

use super::Key;

/// A record that this build does not understand. Its reader reports it, changes nothing, and concludes nothing from it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("record {key} can't be used: {why}")]
pub struct Incompatible {
    /// Where the record is.
    pub key: Key,
    /// What is wrong with it.
    pub why: String,
}
