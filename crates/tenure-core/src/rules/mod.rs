//! The rules of docs/protocol.md that a machine decides, each by itself: plain values in, a decision out.
//!
//! A machine asks its [`Rules`] instead of deciding in the midst of its work, so that each rule can be read alone, and be
//! broken alone: the simulator swaps this type for one that breaks a single rule, and must notice. To add a rule, add a
//! method here, say its letter, and ask it where it matters.
//!
//! | file | rules |
//! |---|---|
//! | `lease` | may we act, until when, and how do we come and go? (L1–L5, R5) |
//! | `watching` | what do we conclude about the others? (O1–O4, G2) |
//! | `ledger` | which steps may a holding take? (P1–P5, founding, G3) |
//! | `acting` | what may we act for, and what do we owe when we stop? (W1, W4, G1) |
//! | `settling` | who takes which step when, and who gets what? (C1–C6) |

mod acting;
mod lease;
mod ledger;
mod settling;
mod watching;

pub(crate) use lease::Farewell;
pub(crate) use ledger::StepDue;

/// The rules that a machine goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules;

impl Rules {
    /// All of them.
    pub const ALL: Self = Self;
}
