//! Whom a connection is encrypted to, and whether that is looked at.
//!
//! The words are PostgreSQL's own, with the same meaning:
//!
//! | sslmode | encrypted | certificate |
//! |---|---|---|
//! | `disable` | no | |
//! | `prefer` (default) | if the server offers it | not looked at |
//! | `require` | yes | not looked at, unless `sslrootcert` is given: then as `verify-ca` |
//! | `verify-ca` | yes | signed by a known authority |
//! | `verify-full` | yes | and made out to the host that the address names |
//!
//! Authorities are those of `sslrootcert`, else those that the system trusts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::config::SslMode;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::verifier::{AnyCertificate, AnyName};

/// What `sslmode` can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Disable,
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

impl Mode {
    /// The mode of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "disable" => Self::Disable,
            "prefer" => Self::Prefer,
            "require" => Self::Require,
            "verify-ca" => Self::VerifyCa,
            "verify-full" => Self::VerifyFull,
            _ => return None,
        })
    }
}

/// Whom to trust, and who we are.
#[derive(Clone, Debug)]
pub(super) struct Trust {
    mode: Mode,
    root: Option<PathBuf>,
    identity: Option<(PathBuf, PathBuf)>,
}

impl Trust {
    /// Puts the options together; says which one is missing.
    pub(super) fn new(
        mode: Option<Mode>,
        root: Option<PathBuf>,
        certificate: Option<PathBuf>,
        key: Option<PathBuf>,
    ) -> Result<Self, String> {
        let identity = match (certificate, key) {
            (Some(certificate), Some(key)) => Some((certificate, key)),
            (None, None) => None,
            (Some(_), None) => return Err("sslcert needs an sslkey".into()),
            (None, Some(_)) => return Err("sslkey needs an sslcert".into()),
        };
        // As libpq has it: whoever names an authority wants it to be looked at.
        let mode = match mode.unwrap_or(Mode::Prefer) {
            Mode::Require if root.is_some() => Mode::VerifyCa,
            mode => mode,
        };
        Ok(Self { mode, root, identity })
    }

    /// Whether the connection is encrypted.
    pub(super) fn ssl_mode(&self) -> SslMode {
        match self.mode {
            Mode::Disable => SslMode::Disable,
            Mode::Prefer => SslMode::Prefer,
            Mode::Require | Mode::VerifyCa | Mode::VerifyFull => SslMode::Require,
        }
    }

    /// What encrypts it.
    pub(super) fn connector(&self) -> Result<MakeRustlsConnect, String> {
        let provider = Arc::new(ring::default_provider());
        let verifier = self.verifier(&provider)?;
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .dangerous()
            .with_custom_certificate_verifier(verifier);
        let config = match &self.identity {
            None => builder.with_no_client_auth(),
            Some((certificate, key)) => builder
                .with_client_auth_cert(certificates(certificate)?, private_key(key)?)
                .map_err(|error| format!("sslcert {}: {error}", certificate.display()))?,
        };
        Ok(MakeRustlsConnect::new(config))
    }

    fn verifier(&self, provider: &Arc<CryptoProvider>) -> Result<Arc<dyn ServerCertVerifier>, String> {
        Ok(match self.mode {
            Mode::Disable | Mode::Prefer | Mode::Require => Arc::new(AnyCertificate::new(provider)),
            Mode::VerifyCa => Arc::new(AnyName::new(self.authorities(provider)?)),
            Mode::VerifyFull => self.authorities(provider)?,
        })
    }

    fn authorities(&self, provider: &Arc<CryptoProvider>) -> Result<Arc<WebPkiServerVerifier>, String> {
        let roots = Arc::new(self.roots()?);
        WebPkiServerVerifier::builder_with_provider(roots, Arc::clone(provider))
            .build()
            .map_err(|error| format!("no authority is trusted: {error}; name one by sslrootcert"))
    }

    fn roots(&self) -> Result<RootCertStore, String> {
        let mut roots = RootCertStore::empty();
        let Some(file) = self.root.as_deref().filter(|file| *file != Path::new("system")) else {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            return Ok(roots);
        };
        for certificate in certificates(file)? {
            roots.add(certificate).map_err(|error| format!("sslrootcert {}: {error}", file.display()))?;
        }
        Ok(roots)
    }
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let read = CertificateDer::pem_file_iter(file).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    match read {
        Ok(found) if found.is_empty() => Err(format!("{} holds no certificate", file.display())),
        Ok(found) => Ok(found),
        Err(error) => Err(format!("{} can't be read: {error}", file.display())),
    }
}

fn private_key(file: &Path) -> Result<PrivateKeyDer<'static>, String> {
    PrivateKeyDer::from_pem_file(file).map_err(|error| format!("sslkey {}: {error}", file.display()))
}
