//! How a cluster is set up: what it asks of clients, and what it does for durability.

use std::fmt;

use crate::certificate::Certificates;

/// How a cluster is set up; by default it asks clients for nothing.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Clients speak TLS, and trust [`Certificates::authority`].
    pub tls: bool,
    /// Clients must show a certificate of that authority; implies TLS.
    pub client_certs: bool,
    /// Clients must log in; this one may do anything.
    pub auth: Option<Login>,
    /// Writes reach the disk before they are answered.
    pub fsync: bool,
    /// The database takes no more bytes than that.
    pub quota: Option<u64>,
}

impl Options {
    pub(super) fn is_secure(&self) -> bool {
        self.tls || self.client_certs
    }

    /// What they mean for a node, in its own words.
    pub(super) fn arguments(&self, certificates: Option<&Certificates>) -> Vec<String> {
        let mut args = Vec::new();
        if !self.fsync {
            args.push("--unsafe-no-fsync".into());
        }
        args.extend(self.quota.map(|bytes| format!("--quota-backend-bytes={bytes}")));
        if let Some(made) = certificates {
            args.push(format!("--cert-file={}", made.server.display()));
            args.push(format!("--key-file={}", made.server_key.display()));
        }
        // Whom to trust is not said without need: etcd takes that for a wish to see certificates.
        if let Some(made) = certificates.filter(|_| self.client_certs) {
            args.push(format!("--trusted-ca-file={}", made.authority.display()));
            args.push("--client-cert-auth=true".into());
        }
        args
    }
}

/// A user of etcd, with a password that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Login {
    /// The name.
    pub user: String,
    /// The password.
    pub password: String,
}

impl fmt::Debug for Login {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Login").field("user", &self.user).finish_non_exhaustive()
    }
}
