//! How a server is set up: what it asks of clients, and what it does for durability.

use std::fmt;

use crate::certificate::Certificates;

/// How a server is set up; by default it asks clients for nothing.
#[derive(Clone, Default)]
pub struct Options {
    /// Clients may speak TLS, and trust [`Certificates::authority`].
    pub tls: bool,
    /// Clients must know this password of the user `postgres`.
    pub password: Option<String>,
    /// Writes reach the disk before they are answered.
    pub fsync: bool,
}

impl fmt::Debug for Options {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = out.debug_struct("Options");
        shown
            .field("tls", &self.tls)
            .field("password", &self.password.is_some())
            .field("fsync", &self.fsync)
            .finish()
    }
}

impl Options {
    /// What they mean for the server, in its own words.
    pub(super) fn settings(&self, certificates: Option<&Certificates>) -> Vec<String> {
        let mut settings = vec![format!("fsync={}", if self.fsync { "on" } else { "off" })];
        if let Some(made) = certificates {
            settings.push("ssl=on".into());
            settings.push(format!("ssl_cert_file={}", made.server.display()));
            settings.push(format!("ssl_key_file={}", made.server_key.display()));
            settings.push(format!("ssl_ca_file={}", made.authority.display()));
        }
        settings
    }
}
