//! Stores for `tenure`, each behind its own feature.
//!
//! | feature | store | for |
//! |---|---|---|
//! | `sqlite` (default) | [`sqlite::SqliteStore`] | any number of processes on one machine, sharing a file |

#[cfg(feature = "sqlite")]
pub mod sqlite;
