//! Where each record of a cluster is kept.

use std::fmt;

use crate::ids::MemberId;

/// The place of one record, within one cluster.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// What all members agree on: `meta`.
    Meta,
    /// A member's lease: `members/<id>`.
    Member(MemberId),
    /// A page of the ledger: `ledger/<number>`.
    Page(u32),
}

impl Key {
    /// The prefix under which all member records are.
    pub const MEMBERS: &'static str = "members/";
    /// The prefix under which all ledger pages are.
    pub const PAGES: &'static str = "ledger/";

    /// Reads a key as [`fmt::Display`] wrote it; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "meta" {
            return Some(Self::Meta);
        }
        if let Some(id) = text.strip_prefix(Self::MEMBERS) {
            return id.parse().ok().map(Self::Member);
        }
        let number = text.strip_prefix(Self::PAGES)?.parse().ok()?;
        let key = Self::Page(number);
        (key.to_string() == text).then_some(key)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Meta => f.write_str("meta"),
            Self::Member(id) => write!(f, "{}{id}", Self::MEMBERS),
            Self::Page(number) => write!(f, "{}{number:05}", Self::PAGES),
        }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
