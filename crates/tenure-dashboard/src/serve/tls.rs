//! A certificate and its key, read from files.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::ClientCertVerifier;
use rustls::{RootCertStore, ServerConfig};
use tokio_rustls::TlsAcceptor;

/// Why a certificate can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// A file has no certificate or key in it.
    #[error("{} can't be read as PEM; it must hold {what}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What it must hold.
        what: &'static str,
        /// Why.
        source: rustls::pki_types::pem::Error,
    },
    /// The authority of clients can't be used.
    #[error("{} can't be used as an authority of clients; it must hold certificates of authorities, as PEM", path.display())]
    Authority {
        /// Which.
        path: PathBuf,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// They don't belong together, or are not understood.
    #[error("the certificate and the key can't be used together")]
    Refused(#[from] rustls::Error),
}

/// A certificate and its key.
#[derive(Clone)]
pub struct Tls(TlsAcceptor);

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tls")
    }
}

impl Tls {
    /// Reads them from PEM files: the chain, and the key of its first certificate. With `clients`, a client may show a certificate
    /// of such an authority, and is who it says; it need not, for probes have none.
    ///
    /// # Errors
    /// [`TlsError`].
    pub fn read(certificate: &Path, key: &Path, clients: Option<&Path>) -> Result<Self, TlsError> {
        let chain = certificates(certificate)?;
        let key = PrivateKeyDer::from_pem_file(key).map_err(unreadable(key, "a private key"))?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()?;
        let config = match clients {
            None => config.with_no_client_auth(),
            Some(path) => config.with_client_cert_verifier(verifier(path, provider)?),
        };
        Ok(Self(TlsAcceptor::from(Arc::new(config.with_single_cert(chain, key)?))))
    }

    pub(super) fn acceptor(&self) -> &TlsAcceptor {
        &self.0
    }
}

fn unreadable(path: &Path, what: &'static str) -> impl FnOnce(rustls::pki_types::pem::Error) -> TlsError {
    let path = path.to_owned();
    move |source| TlsError::File { path, what, source }
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let chain: Result<Vec<_>, _> = CertificateDer::pem_file_iter(path).and_then(Iterator::collect);
    chain.map_err(unreadable(path, "a chain of certificates"))
}

fn verifier(path: &Path, provider: Arc<CryptoProvider>) -> Result<Arc<dyn ClientCertVerifier>, TlsError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(certificates(path)?);
    let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
    let verifier = verifier.allow_unauthenticated().build();
    verifier
        .map(|verifier| verifier as Arc<dyn ClientCertVerifier>)
        .map_err(|error| TlsError::Authority { path: path.to_owned(), source: error.into() })
}
