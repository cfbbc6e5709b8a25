//! The servers there are. Everything that must be said of each of them is said here or in a `match` on this.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A kind of server that a store talks to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Three nodes of etcd.
    Etcd,
    /// An object store that speaks S3 and honours conditions.
    S3,
    /// The API server of Kubernetes, with an etcd of its own.
    Kubernetes,
    /// PostgreSQL.
    Postgres,
}

impl Kind {
    /// All of them, in the order of every table.
    pub const ALL: [Self; 4] = [Self::Etcd, Self::S3, Self::Kubernetes, Self::Postgres];

    /// Its name in options, tables and the names of files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Etcd => "etcd",
            Self::S3 => "s3",
            Self::Kubernetes => "kubernetes",
            Self::Postgres => "postgres",
        }
    }

    /// The variable by which a server is given that is not ours: its value is what a store is opened by.
    pub const fn variable(self) -> &'static str {
        match self {
            Self::Etcd => "TENURE_TEST_ETCD_URL",
            Self::S3 => "TENURE_TEST_S3_URL",
            Self::Kubernetes => "TENURE_TEST_K8S_URL",
            Self::Postgres => "TENURE_TEST_POSTGRES_URL",
        }
    }

    /// The test binary of the store that talks to it.
    pub const fn test_binary(self) -> &'static str {
        match self {
            Self::Etcd => "etcd",
            Self::S3 => "object",
            Self::Kubernetes => "kubernetes",
            Self::Postgres => "postgres",
        }
    }
}

/// Which program it is that speaks S3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum S3Program {
    /// moto behind a lock: small, in memory, and quick to have.
    #[default]
    Moto,
    /// Ceph's object gateway: a real store with a real path of writing. Its conditional DELETE is not atomic.
    Ceph,
}

impl S3Program {
    /// Its name in options and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Moto => "moto",
            Self::Ceph => "ceph",
        }
    }
}

impl FromStr for S3Program {
    type Err = UnknownKind;

    fn from_str(name: &str) -> Result<Self, UnknownKind> {
        let found = [Self::Moto, Self::Ceph].into_iter().find(|program| program.name() == name);
        found.ok_or_else(|| UnknownKind { name: name.to_owned(), known: "moto, ceph" })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// There is no server of that name.
#[derive(Debug, thiserror::Error)]
#[error("there is no server {name:?}; there are: {known}")]
pub struct UnknownKind {
    name: String,
    known: &'static str,
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(name: &str) -> Result<Self, UnknownKind> {
        let called = |kind: &Self| kind.name() == name || kind.test_binary() == name;
        Self::ALL.into_iter().find(called).ok_or_else(|| UnknownKind {
            name: name.to_owned(),
            known: "etcd, s3 (or object), kubernetes, postgres",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn a_server_is_known_by_its_name_and_by_its_tests() {
        assert_eq!("s3".parse::<Kind>().unwrap(), Kind::S3);
        assert_eq!("object".parse::<Kind>().unwrap(), Kind::S3);
        assert!(Kind::ALL.into_iter().all(|kind| kind.name().parse::<Kind>().unwrap() == kind));
    }

    #[test]
    fn an_unknown_server_is_refused_by_name() {
        let refusal = "redis".parse::<Kind>().unwrap_err().to_string();
        assert!(refusal.contains("redis") && refusal.contains("etcd"), "{refusal}");
    }
}
