//! Who is at the other end of a connection: known before anything is asked.

use std::net::SocketAddr;

use rustls::pki_types::CertificateDer;

/// The other end of a connection; found among the extensions of each of its requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    /// Where it is.
    pub address: SocketAddr,
    /// The names in its certificate, if it has shown one that was issued by an authority that is trusted here.
    pub names: Vec<String>,
}

impl Peer {
    pub(super) fn at(address: SocketAddr) -> Self {
        Self { address, names: Vec::new() }
    }

    /// With what its certificate says. The certificate was verified when it was shown.
    pub(super) fn with(mut self, chain: Option<&[CertificateDer<'_>]>) -> Self {
        let leaf = chain.and_then(<[_]>::first).and_then(|leaf| webpki::EndEntityCert::try_from(leaf).ok());
        self.names = leaf.iter().flat_map(|leaf| leaf.valid_dns_names().map(Into::into)).collect();
        self
    }
}
