//! The names of things: members, their lives, shards, epochs.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

/// A name that was refused, and the rule it breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{what} {name:?} {problem}; use 1 to 63 of the characters a-z A-Z 0-9 . _ - and begin with a letter or digit"
)]
pub struct NameError {
    what: &'static str,
    name: String,
    problem: String,
}

pub(crate) fn checked(what: &'static str, name: &str) -> Result<Arc<str>, NameError> {
    let refuse = |problem: String| Err(NameError { what, name: name.chars().take(80).collect(), problem });
    if name.is_empty() {
        return refuse("is empty".into());
    }
    if name.len() > 63 {
        return refuse(format!("has {} characters", name.len()));
    }
    if let Some(odd) = name.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))) {
        return refuse(format!("contains {odd:?}"));
    }
    if !name.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return refuse("begins with a mark".into());
    }
    Ok(name.into())
}

macro_rules! name {
    ($(#[$doc:meta])* $type:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $type(::std::sync::Arc<str>);

        impl $type {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl ::std::str::FromStr for $type {
            type Err = $crate::ids::NameError;
            fn from_str(name: &str) -> Result<Self, $crate::ids::NameError> {
                $crate::ids::checked($what, name).map(Self)
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl ::std::fmt::Debug for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl ::serde::Serialize for $type {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $type {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = <::std::borrow::Cow<'de, str> as ::serde::Deserialize>::deserialize(deserializer)?;
                name.parse().map_err(::serde::de::Error::custom)
            }
        }
    };
}

name!(
    /// The name of a member: stable over restarts if its user wants that, such as a host name.
    MemberId,
    "member id"
);
name!(
    /// The name of a cluster: the members that divide one set of shards.
    ClusterName,
    "cluster name"
);

macro_rules! random_bits {
    ($(#[$doc:meta])* $type:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $type(pub u128);

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, "{:032x}", self.0)
            }
        }

        impl ::std::fmt::Debug for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, "{:08x}", self.0 >> 96)
            }
        }

        impl ::serde::Serialize for $type {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $type {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <::std::borrow::Cow<'de, str> as ::serde::Deserialize>::deserialize(deserializer)?;
                let hex = text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
                let bits = if hex { u128::from_str_radix(&text, 16).ok() } else { None };
                bits.map(Self).ok_or_else(|| ::serde::de::Error::custom("expected 32 lowercase hexadecimal digits"))
            }
        }
    };
}

random_bits!(
    /// One unbroken line of a member's records: drawn anew for every attempt to create a record where none is.
    Line
);
random_bits!(
    /// One running process.
    Process
);
random_bits!(
    /// One founding of a cluster: pages of another lineage belong to another cluster's history.
    Lineage
);

/// One life of a member. Within a line the greater term is the later life; different lines say nothing about each other.
/// Wherever it is shown it is a text, such as `f8409929.1`; records have line and term apart, whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Incarnation {
    /// The line of records that this life belongs to.
    pub line: Line,
    /// One for the record that began the line, and one more at each join that replaced it.
    pub term: u64,
}

impl fmt::Display for Incarnation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}.{}", self.line, self.term)
    }
}

impl Serialize for Incarnation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Debug for Incarnation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

pub(crate) use {name, random_bits};

/// A member in one of its lives: what a ledger names. Cheap to clone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Life(Arc<(MemberId, Incarnation)>);

impl Life {
    /// The life `incarnation` of the member `id`.
    pub fn new(id: MemberId, incarnation: Incarnation) -> Self {
        Self(Arc::new((id, incarnation)))
    }

    /// Whose life it is.
    pub fn id(&self) -> &MemberId {
        &self.0.0
    }

    /// Which of the member's lives it is.
    pub fn incarnation(&self) -> Incarnation {
        self.0.1
    }
}

impl fmt::Display for Life {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.id(), self.incarnation())
    }
}

impl fmt::Debug for Life {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A shard's number, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ShardId(pub u32);

impl fmt::Display for ShardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Debug for ShardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

/// Numbers the owners of one shard, strictly growing: the fencing token. Zero names nobody.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Epoch(pub u64);

impl Epoch {
    /// The epoch after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Epoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Debug for Epoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "e{}", self.0)
    }
}
