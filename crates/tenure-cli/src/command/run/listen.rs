//! Health, metrics, status and who owns what over HTTP: `/livez`, `/readyz`, `/metrics`, `/v1/status`, and what anybody may ask
//! ([`tenure_dashboard::ask`]).
//!
//! The port is taken before anything is written, so that one that is taken by somebody else leaves no member behind; and it is
//! answered from then on, so that a member which takes long to join is seen to live.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tenure::{ClusterName, Member};
use tenure_dashboard::ask::{OfMember, asking};
use tenure_dashboard::serve::{Tls, allowed, serve};
use tenure_dashboard::{METRICS_TYPE, member_page};
use tokio_util::sync::CancellationToken;

use crate::command::access::{Access, bound, usage};
use crate::exit::Failure;
use crate::{format, talk};

/// The member, once it has joined.
#[derive(Clone, Debug)]
struct Joined {
    member: Arc<OnceLock<Arc<Member>>>,
    cluster: ClusterName,
}

impl Joined {
    fn of(cluster: &ClusterName) -> Self {
        Self { member: Arc::default(), cluster: cluster.clone() }
    }

    fn get(&self) -> Option<&Arc<Member>> {
        self.member.get()
    }
}

/// What a member tells of itself.
#[derive(Debug)]
pub(super) struct Endpoint {
    joined: Joined,
    /// Where it tells of its state, if it does.
    url: Option<String>,
}

impl Endpoint {
    /// Begins to listen; serves as long as the process lives.
    pub(super) async fn open(
        address: SocketAddr,
        access: &Access,
        cluster: &ClusterName,
    ) -> Result<Self, Failure> {
        let tls = access.tls()?;
        check(address, access, tls.as_ref())?;
        let gate = Arc::new(access.gate(cluster, address)?);
        let listener = bound(address, "--listen").await?;
        let scheme = if tls.is_some() { "https" } else { "http" };
        let address = listener.local_addr().unwrap_or(address);
        talk::say(&format!("listening on {scheme}://{address}"));
        if let Some(told) = kept_back(address, access) {
            talk::say(told);
        }
        let endpoint = Self { url: Some(format!("{scheme}://{}", near(address))), ..Self::of(cluster) };
        let (source, over) = (endpoint.joined.clone(), CancellationToken::new());
        let source = Arc::new(OfMember::new(move || source.get().cloned()));
        let router = routes(endpoint.joined.clone()).merge(asking(cluster.clone(), source, over.clone()));
        tokio::spawn(serve(listener, tls, gate.guard(router), over));
        Ok(endpoint)
    }

    /// Where this machine's own programs ask for its state.
    pub(super) fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// Begins to listen for Prometheus and probes, who send no token: they get what is theirs, and nothing else.
    pub(super) async fn open_plain(
        address: SocketAddr,
        access: &Access,
        cluster: &ClusterName,
    ) -> Result<Self, Failure> {
        let gate = Arc::new(access.plain_gate(cluster, address));
        let listener = bound(address, "--metrics-listen").await?;
        talk::say(&format!("metrics at http://{}/metrics", listener.local_addr().unwrap_or(address)));
        let endpoint = Self::of(cluster);
        let router = gate.guard(vitals().with_state(endpoint.joined.clone()));
        tokio::spawn(serve(listener, None, router, CancellationToken::new()));
        Ok(endpoint)
    }

    fn of(cluster: &ClusterName) -> Self {
        Self { joined: Joined::of(cluster), url: None }
    }

    /// From now on it tells of `member`.
    pub(super) fn show(&self, member: &Arc<Member>) {
        // Joined once.
        let _ = self.joined.member.set(Arc::clone(member));
    }
}

/// An address that is every address of this machine can't be asked; loopback is one of them.
fn near(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// Without a token file no client sends a token, and what is left to see may travel openly.
fn check(address: SocketAddr, access: &Access, tls: Option<&Tls>) -> Result<(), Failure> {
    match access.has_people() {
        true => allowed(address, true, tls.is_some()).map_err(|error| usage(&error)),
        false => Ok(()),
    }
}

fn kept_back(address: SocketAddr, access: &Access) -> Option<&'static str> {
    match (address.ip().is_loopback() || access.has_people(), access.has_public_metrics()) {
        (true, _) => None,
        (false, true) => Some(
            "others can reach that: only /livez, /readyz and /metrics are answered, unless there are a --token-file and a --tls-cert",
        ),
        (false, false) => Some(
            "others can reach that: only /livez and /readyz are answered; /metrics with --public-metrics, all of it with a --token-file and a --tls-cert",
        ),
    }
}

fn routes(member: Joined) -> Router {
    vitals().route("/v1/status", get(status)).with_state(member)
}

/// What probes and Prometheus ask for.
fn vitals() -> Router<Joined> {
    Router::new()
        .route("/livez", get(|| async { "alive\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
}

/// Ready is who holds a lease: only then can it own a shard.
async fn ready(State(member): State<Joined>) -> Response {
    match member.get().map(|member| member.metrics().detached) {
        None => starting(),
        Some(true) => (StatusCode::SERVICE_UNAVAILABLE, "detached: no lease\n").into_response(),
        Some(false) => "ready\n".into_response(),
    }
}

async fn metrics(State(member): State<Joined>) -> Response {
    let Some(joined) = member.get() else { return starting() };
    let page = member_page(&member.cluster, &joined.metrics());
    ([(header::CONTENT_TYPE, METRICS_TYPE)], page).into_response()
}

async fn status(State(member): State<Joined>) -> Response {
    let Some(member) = member.get() else { return starting() };
    match member.snapshot().await {
        Ok(snapshot) => {
            ([(header::CONTENT_TYPE, "application/json")], format::json(&snapshot)).into_response()
        }
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n")).into_response(),
    }
}

fn starting() -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, "starting: not joined yet\n").into_response()
}

#[cfg(test)]
#[path = "fuzz_tests.rs"]
mod fuzz_tests;
