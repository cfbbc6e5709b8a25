//! Stores for `tenure`, each behind its own feature; `all` has every one of them.
//!
//! | feature | store | for |
//! |---|---|---|
//! | `sqlite` (default) | [`sqlite::SqliteStore`] | any number of processes on one machine, sharing a file |
//! | `etcd` | `etcd::EtcdStore` | any number of machines that share an etcd cluster |
//! | `postgres` | `postgres::PostgresStore` | any number of machines that share a PostgreSQL database |
//! | `kubernetes` | `kubernetes::KubernetesStore` | Pods of one cluster, on the API server that they run under |
//! | `object` | `object::ObjectStore` | any number of processes anywhere, sharing a bucket of S3, Google Cloud Storage or Azure |
//!
//! [`open`] chooses among them by an address such as `sqlite:tenure.db`. Journals can be in SQLite, PostgreSQL, object storage, and by the
//! feature `folder` (default) in a folder: [`open_journal`] chooses in the same way.

mod address;
#[cfg(feature = "etcd")]
pub mod etcd;
#[cfg(any(feature = "folder", feature = "sqlite"))]
mod filesystem;
#[cfg(feature = "folder")]
pub mod folder;
mod journals;
#[cfg(feature = "kubernetes")]
pub mod kubernetes;
#[cfg(feature = "object")]
pub mod object;
#[cfg(feature = "postgres")]
pub mod postgres;
mod shown;
#[cfg(feature = "sqlite")]
pub mod sqlite;
mod trouble;

pub use address::{SCHEMES, look, open, open_existing};
pub use journals::{JOURNAL_SCHEMES, open_journal};
pub use shown::shown;

/// The example in the README is compiled with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
