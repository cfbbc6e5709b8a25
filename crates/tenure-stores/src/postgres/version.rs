//! What a version says: `<timeline>-<position>-<random>`, such as `1-0/16B3748-0b1f…`.
//!
//! The random part alone makes it unique. Timeline and position are there to be read again: the transaction that wrote this
//! version committed **after** that position of the write-ahead log, so a server whose log ends at it or before lacks the
//! write. That is how a fail-over that lost something is told from one that didn't.

use std::fmt;

use tenure::store::Version;

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

    /// The position that a version was written after; none if it is not one of ours.
    pub(super) fn of(version: &Version) -> Option<Self> {
        Self::parse(version.as_str().split('-').nth(1)?)
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
    fn a_version_tells_its_position() {
        let version = Version::new("A-1/2C-0b1f3c9e-0000-4000-8000-000000000000");
        assert_eq!(Position::of(&version), Position::parse("1/2C"));
        assert_eq!(Position::of(&Version::new("17")), None);
    }
}
