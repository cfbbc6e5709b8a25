//! Certificates for servers that speak TLS: an authority made for one server, what it signs for it, and what it signs for clients.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rcgen::{BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair};

use crate::error::{Doing, Error};

/// Where the certificates of one server lie, all of them in PEM.
#[derive(Clone, Debug)]
pub struct Certificates {
    /// The authority that signed the server's certificate; a client trusts it.
    pub authority: PathBuf,
    /// A client's certificate, signed by the same authority.
    pub client: PathBuf,
    /// The key of the client's certificate.
    pub client_key: PathBuf,
    pub(crate) server: PathBuf,
    pub(crate) server_key: PathBuf,
}

impl Certificates {
    /// Makes new ones in `folder`, for a server on the loopback.
    pub(crate) fn make(folder: &Path) -> Result<Self, Error> {
        let made =
            Made::new().map_err(|error| Error::Refused(format!("can't make certificates: {error}")))?;
        made.write(folder)
    }
}

/// A certificate and its key, in PEM.
struct Pair {
    certificate: String,
    key: String,
}

struct Made {
    authority: String,
    server: Pair,
    client: Pair,
}

impl Made {
    fn new() -> Result<Self, rcgen::Error> {
        let (authority, issuer) = authority()?;
        let server = signed("tenure-testbed server", &issuer)?;
        let client = signed("tenure-testbed client", &issuer)?;
        Ok(Self { authority, server, client })
    }

    fn write(&self, folder: &Path) -> Result<Certificates, Error> {
        Ok(Certificates {
            authority: write(folder, "authority.pem", &self.authority)?,
            client: write(folder, "client.pem", &self.client.certificate)?,
            client_key: write(folder, "client.key", &self.client.key)?,
            server: write(folder, "server.pem", &self.server.certificate)?,
            server_key: write(folder, "server.key", &self.server.key)?,
        })
    }
}

fn authority() -> Result<(String, Issuer<'static, KeyPair>), rcgen::Error> {
    let mut params = CertificateParams::new(Vec::new())?;
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, "tenure-testbed authority");
    let key = KeyPair::generate()?;
    let certificate = params.self_signed(&key)?.pem();
    Ok((certificate, Issuer::new(params, key)))
}

/// For both ends: etcd also connects to itself, by its server's certificate.
fn signed(name: &str, issuer: &Issuer<'_, KeyPair>) -> Result<Pair, rcgen::Error> {
    let mut params = CertificateParams::new(vec!["127.0.0.1".into(), "localhost".into()])?;
    params.distinguished_name.push(DnType::CommonName, name);
    params.use_authority_key_identifier_extension = true;
    params.extended_key_usages =
        vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
    let key = KeyPair::generate()?;
    Ok(Pair { certificate: params.signed_by(&key, issuer)?.pem(), key: key.serialize_pem() })
}

/// For the owner's eyes alone: PostgreSQL refuses a key that others can read.
fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf, Error> {
    let path = folder.join(name);
    fs::write(&path, text).doing(|| format!("write {}", path.display()))?;
    let private = fs::Permissions::from_mode(0o600);
    fs::set_permissions(&path, private).doing(|| format!("protect {}", path.display()))?;
    Ok(path)
}
