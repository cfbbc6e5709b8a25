//! What became of members: one line for each that came, fell silent, left or began anew.

use serde::Serialize;

use super::MemberState;

/// One member's turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Turn {
    /// When it was seen.
    pub at_ms: u64,
    /// Whose.
    pub member: String,
    /// Its state before; null if it was not there.
    pub from: Option<MemberState>,
    /// Its state now.
    pub to: MemberState,
    /// Whether it began a new life.
    pub anew: bool,
    /// Who closed its record, if it was another.
    pub by: Option<String>,
}

/// The event `turns`: what became of members at one look.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Turns {
    /// The state that this belongs to.
    pub seq: u64,
    /// When it was seen.
    pub at_ms: u64,
    /// What became of whom.
    pub turns: Vec<Turn>,
}
