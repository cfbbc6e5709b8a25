//! The name of the schema that holds the tables, and what follows from it.
//!
//! It becomes part of statements, which take no parameter there: so only names are let in that need no quoting, and whose
//! channel still fits an identifier.

use std::fmt;

/// The schema where an address names none.
const DEFAULT: &str = "tenure";

/// The longest name: with the channel's prefix it stays below PostgreSQL's 63 bytes.
const LENGTH_MAX: usize = 48;

/// The name of a schema: small letters, digits and underscores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Schema(String);

impl Schema {
    /// Takes a name, if it is one.
    pub(super) fn named(name: &str) -> Option<Self> {
        let starts = name.starts_with(|first: char| first.is_ascii_lowercase() || first == '_');
        let plain =
            name.chars().all(|mark| mark.is_ascii_lowercase() || mark.is_ascii_digit() || mark == '_');
        let ours = !name.starts_with("pg_");
        (starts && plain && ours && name.len() <= LENGTH_MAX).then(|| Self(name.into()))
    }

    /// The channel on which changes of its records are told.
    pub(super) fn channel(&self) -> String {
        format!("tenure.{}", self.0)
    }
}

impl Default for Schema {
    fn default() -> Self {
        Self(DEFAULT.into())
    }
}

impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_need_no_quoting_are_taken() {
        for name in ["tenure", "_a", "orders_2"] {
            assert_eq!(Schema::named(name).unwrap().to_string(), name);
        }
        for name in ["", "2a", "Orders", "a-b", "a\"; drop", "pg_temp", "ä", &"a".repeat(LENGTH_MAX + 1)] {
            assert_eq!(Schema::named(name), None, "{name}");
        }
    }

    #[test]
    fn the_longest_name_still_has_a_channel() {
        let longest = Schema::named(&"a".repeat(LENGTH_MAX)).unwrap();
        assert!(longest.channel().len() < 64);
    }
}
