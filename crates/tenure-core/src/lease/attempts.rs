//! Attempts to write our own record that may still land.
//!
//! Every attempt has a seq of its own. A read that shows one of them proves that this attempt landed, and none other: the
//! lease counts from the sending of exactly that attempt.

use std::collections::BTreeMap;

use crate::Rules;
use crate::ids::Incarnation;
use crate::moment::Moment;

/// One attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Attempt {
    /// The clock before the request was sent.
    pub sent_at: Moment,
    /// The life that the attempt writes.
    pub incarnation: Incarnation,
}

/// All attempts that may still land, by seq.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    seq: u64,
    open: BTreeMap<u64, Attempt>,
}

impl Attempts {
    /// The seq for a new attempt.
    pub(super) fn begin(&mut self, attempt: Attempt, rules: Rules) -> u64 {
        self.seq = rules.next_seq(self.seq);
        self.open.insert(self.seq, attempt);
        self.seq
    }

    /// The attempt `seq` is known to have landed: neither it nor an earlier one can land again.
    pub(super) fn landed(&mut self, seq: u64) -> Option<Attempt> {
        let attempt = self.open.get(&seq).copied()?;
        self.open.retain(|other, _| *other > seq);
        Some(attempt)
    }

    /// The life that made the attempts is over: whichever of them lands is nobody's lease.
    pub(super) fn forget(&mut self) {
        self.open.clear();
    }

    /// The newest attempt that may still land.
    pub(super) fn newest(&self) -> Option<(u64, Attempt)> {
        self.open.last_key_value().map(|(seq, attempt)| (*seq, *attempt))
    }
}
