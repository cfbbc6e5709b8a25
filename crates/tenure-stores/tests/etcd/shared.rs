//! The cluster that all tests share. Each keeps to a prefix of its own and hurts nobody.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};

use tenure_testbed::Kind;
use tenure_testbed::proxy::Proxy;

/// A prefix that nobody else uses.
pub(crate) fn prefix() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("test-{}-{number}-{:x}", std::process::id(), fastrand::u64(..))
}

/// An address on the shared cluster under a prefix of its own.
pub(crate) fn address() -> String {
    format!("{}/{}", tenure_testbed::url(Kind::Etcd), prefix())
}

/// Where the shared cluster answers.
pub(crate) fn endpoints() -> Vec<SocketAddr> {
    let address = tenure_testbed::url(Kind::Etcd);
    let hosts = address.strip_prefix("etcd://").and_then(|rest| rest.split('/').next()).unwrap();
    hosts.split(',').map(|host| host.parse().unwrap()).collect()
}

/// An address that leads through `proxies`.
pub(crate) fn through(proxies: &[Proxy], prefix: &str) -> String {
    let hosts: Vec<String> = proxies.iter().map(|proxy| proxy.address().to_string()).collect();
    format!("etcd://{}/{prefix}", hosts.join(","))
}
