//! Which names the dashboard answers to.
//!
//! A page of somebody else can have its name point to this machine, and would then read everything here as its own (DNS
//! rebinding). Its requests carry its name, so only names that are ours are answered.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header;
use axum::http::uri::Authority;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Gate;
use crate::view::{Problem, ProblemKind};

/// The names under which a dashboard may be asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hosts {
    named: Vec<String>,
    addresses: bool,
    any: bool,
}

impl Hosts {
    /// This machine alone: `localhost` and the loopback addresses. The default.
    pub fn local() -> Self {
        Self::default()
    }

    /// Every name: for a service that checks `Host` itself, or stands behind something that does.
    pub fn any() -> Self {
        Self { any: true, ..Self::default() }
    }

    /// Every address too, as kubelets and Prometheus ask for a Pod: a name that somebody else lets point here is asked for by that name,
    /// never by an address.
    #[must_use]
    pub fn and_addresses(mut self) -> Self {
        self.addresses = true;
        self
    }

    /// This name, or address, too; without a port.
    #[must_use]
    pub fn and(mut self, name: impl Into<String>) -> Self {
        self.named.push(name.into().to_ascii_lowercase());
        self
    }

    /// Whether the value of a `Host` header is one of them, whatever the port.
    pub fn knows(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else { return false };
        let name = authority.host().to_ascii_lowercase();
        let plain = name.trim_start_matches('[').trim_end_matches(']');
        let address = plain.parse::<IpAddr>().ok();
        let here = plain == "localhost" || address.is_some_and(|address| address.is_loopback());
        here || self.any
            || (self.addresses && address.is_some())
            || self.named.iter().any(|known| known == plain)
    }
}

/// Lets a request pass if it asks for one of our names.
pub(crate) async fn known_host(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let said = request.headers().get_all(header::HOST).iter().collect::<Vec<_>>();
    let known = match said.as_slice() {
        [one] => one.to_str().is_ok_and(|host| gate.hosts.knows(host)),
        // Without the header, HTTP/1.0 or nonsense; with two, an attempt to be two things at once.
        _ => false,
    };
    // A request to a proxy names the host in its first line, too.
    let also = request.uri().authority().is_none_or(|named| gate.hosts.knows(named.as_str()));
    if known && also {
        return next.run(request).await;
    }
    let message = "this server is not known by that name; start it with --host NAME if it should be";
    Problem::new(ProblemKind::Forbidden, message).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_known_by_all_its_names() {
        let hosts = Hosts::local();
        for host in ["localhost", "LOCALHOST:7400", "127.0.0.1:7400", "127.8.0.1", "[::1]:7400"] {
            assert!(hosts.knows(host), "{host}");
        }
    }

    #[test]
    fn strangers_are_not_known_whatever_they_resemble() {
        let hosts = Hosts::local().and("dash.example");
        for host in
            ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "a b", "10.0.0.1"]
        {
            assert!(!hosts.knows(host), "{host}");
        }
        assert!(hosts.knows("Dash.Example:443"));
    }

    #[test]
    fn an_address_is_no_strangers_name() {
        let hosts = Hosts::local().and_addresses();
        assert!(hosts.knows("10.1.2.3:9090") && hosts.knows("[fd00::1]:9090"));
        assert!(!hosts.knows("evil.example") && !hosts.knows("10.1.2.3.evil.example"));
    }
}
