//! What a version says: `<timeline>-<position>-<system>-<mark>`, such as `1-0/16B3748-7573…-0b1f…`.
//!
//! The mark alone, 128 random bits, makes it unique. The rest is there to be read again: the transaction that wrote this version
//! committed **after** that position of the write-ahead log of the cluster with that system identifier, so a server of this cluster whose
//! log ends at it or before lacks the write. That is how a fail-over that lost something is told from one that didn't. A position
//! of another cluster's log, as a restored dump is full of, says nothing about this one.

use std::fmt;

use tenure::store::Version;

use super::error::Trouble;

/// The length of a mark.
pub(super) const MARK_LENGTH: usize = 32;

/// A mark that nobody else draws.
pub(super) fn mark() -> Result<String, Trouble> {
    let mut bits = [0; MARK_LENGTH / 2];
    getrandom::fill(&mut bits).map_err(|_| Trouble::NoChance)?;
    Ok(bits.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A position in the write-ahead log; grows on a timeline and across a promotion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position(pub(super) u64);

impl Position {
    /// Reads it as PostgreSQL spells it: two hexadecimal numbers with a slash.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (high, low) = text.split_once('/')?;
        let high = u64::from_str_radix(high, 16).ok()?;
        let low = u32::from_str_radix(low, 16).ok()?;
        Some(Self(high.checked_mul(1 << 32)? | u64::from(low)))
    }

    /// The position of the log of `system` that a version was written after; none if it was written elsewhere.
    pub(super) fn of(version: &Version, system: &str) -> Option<Self> {
        let mut parts = version.as_str().split('-').skip(1);
        let position = parts.next()?;
        parts.next().filter(|written_by| *written_by == system)?;
        Self::parse(position)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:X}/{:X}", self.0 >> 32, self.0 & u64::from(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_read_as_it_is_written() {
        for text in ["0/0", "0/16B3748", "1A/FFFFFFFF", "FFFFFFFF/FFFFFFFF"] {
            assert_eq!(Position::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "/", "1", "1/", "1/100000000", "x/0", "100000000/0/0"] {
            assert_eq!(Position::parse(text), None, "{text}");
        }
    }

    #[test]
    fn positions_are_in_the_order_of_the_log() {
        assert!(Position::parse("0/FFFFFFFF") < Position::parse("1/0"));
        assert!(Position::parse("9/0") < Position::parse("10/0"));
    }

    #[test]
    fn a_version_tells_its_position_to_the_cluster_that_wrote_it() {
        let version = Version::new("A-1/2C-7573-0b1f3c9e000040008000000000000000");
        assert_eq!(Position::of(&version, "7573"), Position::parse("1/2C"));
        assert_eq!(Position::of(&version, "7574"), None);
        assert_eq!(Position::of(&Version::new("17"), "7573"), None);
    }

    #[test]
    fn a_version_that_does_not_say_who_wrote_it_tells_no_position() {
        let earlier = Version::new("A-1/2C-0b1f3c9e-0000-4000-8000-000000000000");
        assert_eq!(Position::of(&earlier, "7573"), None);
    }

    #[test]
    fn marks_have_one_length_and_differ() {
        let (one, other) = (mark().unwrap(), mark().unwrap());
        assert_eq!((one.len(), other.len()), (MARK_LENGTH, MARK_LENGTH));
        assert_ne!(one, other);
    }
}
