//! Access to everything that listens: by which names it is known, who may come in, and how they prove it.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use tenure::ClusterName;
use tenure_dashboard::serve::Tls;
use tenure_dashboard::{Gate, Hosts, Keyring, Proxies, Reading};
use tokio::net::{TcpListener, TcpSocket};

use crate::exit::{Exit, Failure};

/// So many wait in the system's queue until they are looked at: on a busy machine a flood fills a short one, and probes with it come late.
const QUEUE: u32 = 1024;

/// Who may come in, and how that is proven.
#[derive(Debug, clap::Args)]
pub(crate) struct Access {
    /// Who may do what: a name, a token and a role on each line; closed to others (chmod 600)
    #[arg(long, value_name = "FILE", env = "TENURE_TOKEN_FILE", hide_env_values = true)]
    token_file: Option<PathBuf>,
    /// A certificate, as PEM
    #[arg(long, value_name = "FILE", env = "TENURE_TLS_CERT", hide_env_values = true, requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Its key, as PEM
    #[arg(long, value_name = "FILE", env = "TENURE_TLS_KEY", hide_env_values = true, requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Authorities of clients, as PEM: a certificate of theirs says who asks
    #[arg(
        long,
        value_name = "FILE",
        env = "TENURE_CLIENT_CA",
        hide_env_values = true,
        requires = "tls_cert"
    )]
    client_ca: Option<PathBuf>,
    /// A proxy that says who asks, such as 10.1.2.3 or 10.1.0.0/16; may be said several times
    #[arg(
        long,
        value_name = "ADDR",
        env = "TENURE_TRUSTED_PROXY",
        value_delimiter = ',',
        value_parser = network,
        hide_env_values = true,
        requires = "token_file"
    )]
    trusted_proxy: Vec<ipnet::IpNet>,
    /// The header in which trusted proxies say it
    #[arg(
        long,
        value_name = "NAME",
        env = "TENURE_IDENTITY_HEADER",
        default_value = "x-forwarded-user",
        hide_env_values = true
    )]
    identity_header: axum::http::HeaderName,
    /// A name that it may be asked for by, besides those of this machine; may be said several times
    #[arg(long, value_name = "NAME", env = "TENURE_HOST", value_delimiter = ',', hide_env_values = true)]
    host: Vec<String>,
    /// Let only people of the token file look, on loopback too; elsewhere it is always so
    #[arg(long, env = "TENURE_PRIVATE", hide_env_values = true, requires = "token_file")]
    private: bool,
    /// Let everybody who can connect read /metrics
    #[arg(long, env = "TENURE_PUBLIC_METRICS", hide_env_values = true)]
    public_metrics: bool,
}

impl Access {
    /// Whether people can prove who they are here.
    pub(crate) fn has_people(&self) -> bool {
        self.token_file.is_some()
    }

    /// Whether figures are for everybody.
    pub(crate) fn has_public_metrics(&self) -> bool {
        self.public_metrics
    }

    /// The certificate, if there is one.
    pub(crate) fn tls(&self) -> Result<Option<Tls>, Failure> {
        let files = self.tls_cert.as_ref().zip(self.tls_key.as_ref());
        let tls = files.map(|(certificate, key)| Tls::read(certificate, key, self.client_ca.as_deref()));
        tls.transpose().map_err(|error| usage(&error))
    }

    /// The gate before `cluster`, for what listens on `address`.
    pub(crate) fn gate(&self, cluster: &ClusterName, address: SocketAddr) -> Result<Gate, Failure> {
        let keys =
            self.token_file.as_deref().map(Keyring::open).transpose().map_err(|error| usage(&error))?;
        let is_near = address.ip().is_loopback();
        let reading = if is_near && !self.private { Reading::Free } else { Reading::Named };
        let gate = Gate::new(cluster.clone()).keys(keys.unwrap_or_default()).reading(reading);
        let gate = gate.hosts(self.hosts(is_near)).public_figures(self.public_metrics);
        let proxies = Proxies::new(self.trusted_proxy.clone(), self.identity_header.clone());
        Ok(if self.trusted_proxy.is_empty() { gate } else { gate.proxies(proxies) })
    }

    /// The gate before figures and probes, for what listens on `address` and serves nothing else.
    pub(crate) fn plain_gate(&self, cluster: &ClusterName, address: SocketAddr) -> Gate {
        let gate = Gate::new(cluster.clone()).reading(Reading::Named).public_figures(true);
        gate.hosts(self.hosts(address.ip().is_loopback()))
    }

    /// Elsewhere than on loopback every address is our own: names alone can be somebody else's.
    fn hosts(&self, is_near: bool) -> Hosts {
        let hosts = if is_near { Hosts::local() } else { Hosts::local().and_addresses() };
        self.host.iter().fold(hosts, |hosts, name| hosts.and(name.as_str()))
    }
}

/// Listens on `address`, as `option` says: before anything is written, so that a port that is taken leaves nothing behind.
pub(crate) async fn bound(address: SocketAddr, option: &str) -> Result<TcpListener, Failure> {
    listening(address).map_err(|error| {
        Failure::new(Exit::Usage, format!("can't listen on {address}; choose another {option}"))
            .because(error)
    })
}

fn listening(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // A member that starts again may have its former port at once.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(QUEUE)
}

/// An address to listen on: `127.0.0.1:9090`; `:9090` and `9090` are on loopback.
pub(crate) fn address(text: &str) -> Result<SocketAddr, String> {
    let local = |port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
    let port = text.strip_prefix(':').unwrap_or(text).parse().map(local);
    port.or_else(|_| text.parse()).map_err(|_| "use a port, such as :9090, or an address with one".into())
}

fn network(text: &str) -> Result<ipnet::IpNet, String> {
    let one = text.parse::<IpAddr>().map(ipnet::IpNet::from);
    one.or_else(|_| text.parse())
        .map_err(|_| "use an address, such as 10.1.2.3, or a network, such as 10.1.0.0/16".into())
}

/// A setting that can't be used, with its causes.
pub(crate) fn usage(error: &(dyn std::error::Error + 'static)) -> Failure {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        message.push_str(&format!(": {next}"));
        cause = next.source();
    }
    Failure::new(Exit::Usage, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_is_on_loopback() {
        assert_eq!(address(":9090"), Ok("127.0.0.1:9090".parse().unwrap()));
        assert_eq!(address("9090"), address(":9090"));
        assert_eq!(address("0.0.0.0:1"), Ok("0.0.0.0:1".parse().unwrap()));
        assert_eq!(address("[::1]:1"), Ok("[::1]:1".parse().unwrap()));
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in ["", "host", ":x", "1.2.3.4", "99999"] {
            assert!(address(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_proxy_is_an_address_or_a_network() {
        assert_eq!(network("10.1.2.3").unwrap().to_string(), "10.1.2.3/32");
        assert_eq!(network("fd00::/8").unwrap().to_string(), "fd00::/8");
        assert!(network("proxy.example").is_err());
    }
}
