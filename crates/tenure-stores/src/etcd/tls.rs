//! Encrypted connections: the files they need, and what it means when they can't be made.

use std::error::Error as StdError;
use std::io;
use std::path::Path;

use rustls::{AlertDescription, CertificateError, Error as TlsError};
use tenure::store::{StoreError, StoreErrorKind};
use tonic::transport::{Certificate, ClientTlsConfig, Identity};

use super::error::KIND;
use super::url::Tls;

/// Reads the files.
pub(super) fn configure(tls: &Tls) -> Result<ClientTlsConfig, StoreError> {
    let mut config = ClientTlsConfig::new();
    config = match &tls.ca {
        Some(ca) => config.ca_certificate(Certificate::from_pem(file(ca)?)),
        None => config.with_native_roots(),
    };
    if let (Some(certificate), Some(key)) = (&tls.certificate, &tls.key) {
        config = config.identity(Identity::from_pem(file(certificate)?, file(key)?));
    }
    Ok(config)
}

/// What to try when an endpoint ends connections without a word.
pub(super) fn advice(tls: Option<&Tls>) -> &'static str {
    match tls {
        None => "if etcd encrypts, add ca=FILE or tls=true to the address",
        Some(tls) if tls.certificate.is_none() => {
            "if etcd asks for certificates, add cert=FILE&key=FILE to the address; if it does not encrypt, leave out tls and ca"
        }
        Some(_) => "if etcd does not accept this certificate, use one that its authority signed",
    }
}

fn file(path: &Path) -> Result<Vec<u8>, StoreError> {
    std::fs::read(path).map_err(|cause| {
        let message = "the file can't be read; name one that is there, and let this user read it";
        StoreError::new(StoreErrorKind::Invalid, KIND, "open", path.display().to_string(), message)
            .caused_by(cause)
    })
}

/// What an encrypted connection failed by, and what to do about it; none if it failed by something else.
pub(super) fn obstacle(error: &(dyn StdError + 'static)) -> Option<String> {
    Some(match tls_error(error)? {
        TlsError::InvalidCertificate(problem) => bad_certificate(problem),
        TlsError::AlertReceived(AlertDescription::CertificateRequired) => {
            "it asks for a certificate of ours; give cert=FILE&key=FILE".into()
        }
        TlsError::AlertReceived(alert) => {
            format!(
                "it refuses our side of the encryption ({alert:?}); check cert=FILE&key=FILE and who signed it"
            )
        }
        TlsError::InvalidMessage(_) => "it does not speak TLS; leave out tls, ca, cert and key".into(),
        other => format!("no encrypted connection: {other}"),
    })
}

fn bad_certificate(problem: &CertificateError) -> String {
    match problem {
        CertificateError::UnknownIssuer => {
            "its certificate is signed by somebody unknown; name the authority by ca=FILE".into()
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "its certificate has expired; renew it".into()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "its certificate is for another name; use a name or address that the certificate lists".into()
        }
        other => format!("its certificate can't be accepted: {other}"),
    }
}

fn tls_error<'a>(error: &'a (dyn StdError + 'static)) -> Option<&'a TlsError> {
    let mut next = Some(error);
    // An I/O error hides what it wraps from its chain of sources.
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<TlsError>() {
            return Some(found);
        }
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if let Some(found) = wrapped.and_then(|wrapped| wrapped.downcast_ref::<TlsError>()) {
            return Some(found);
        }
        next = error.source();
    }
    None
}
