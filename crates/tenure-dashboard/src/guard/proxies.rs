//! Proxies that know who asks, and say so in a header. Only those that are listed are believed: from anybody else the header
//! is as good as absent.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderName};
use ipnet::IpNet;

/// The proxies that are believed, and the header in which they name who asks.
#[derive(Clone, Debug)]
pub struct Proxies {
    networks: Vec<IpNet>,
    header: HeaderName,
}

impl Proxies {
    /// Proxies in these networks, which must overwrite `header` in every request that they pass on.
    pub fn new(networks: Vec<IpNet>, header: HeaderName) -> Self {
        Self { networks, header }
    }

    /// Who asks, by the word of the proxy at `from`.
    pub(super) fn named<'a>(&self, from: IpAddr, headers: &'a HeaderMap) -> Option<&'a str> {
        let known = self.networks.iter().any(|network| network.contains(&from.to_canonical()));
        let mut said = headers.get_all(&self.header).iter();
        match (known, said.next(), said.next()) {
            (true, Some(name), None) => name.to_str().ok(),
            // Two names are none: one of them is not the proxy's.
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_listed_proxy_is_believed_and_only_if_it_names_one() {
        let networks = vec!["10.1.0.0/16".parse().unwrap(), "::1/128".parse().unwrap()];
        let proxies = Proxies::new(networks, HeaderName::from_static("x-forwarded-user"));
        let mut headers = HeaderMap::new();
        let named = |from: &str, headers: &HeaderMap| {
            proxies.named(from.parse().unwrap(), headers).map(str::to_owned)
        };
        assert_eq!(named("10.1.2.3", &headers), None);
        headers.append("x-forwarded-user", "eve".parse().unwrap());
        assert_eq!(named("10.1.2.3", &headers).as_deref(), Some("eve"));
        assert_eq!(named("::ffff:10.1.2.3", &headers).as_deref(), Some("eve"));
        assert_eq!(named("10.2.0.1", &headers), None);
        headers.append("x-forwarded-user", "admin".parse().unwrap());
        assert_eq!(named("10.1.2.3", &headers), None);
    }
}
