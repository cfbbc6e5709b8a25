//! Stores for `tenure`, each behind its own feature.
//!
//! | feature | store | for |
//! |---|---|---|
//! | `sqlite` (default) | [`sqlite::SqliteStore`] | any number of processes on one machine, sharing a file |

#[cfg(feature = "sqlite")]
pub mod sqlite;

/// The example in the README is compiled with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
