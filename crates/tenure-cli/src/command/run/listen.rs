//! Health, metrics and status over HTTP: `/livez`, `/readyz`, `/metrics`, `/v1/status`.
//!
//! The port is taken before anything is written, so that one that is taken by somebody else leaves no member behind; and it is
//! answered from then on, so that a member which takes long to join is seen to live.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tenure::{ClusterName, Member};
use tenure_dashboard::serve::{Tls, allowed, serve};
use tenure_dashboard::{METRICS_TYPE, member_page};
use tokio_util::sync::CancellationToken;

use crate::command::door::{Door, bound, usage};
use crate::exit::Failure;
use crate::{show, talk};

/// The member, once it has joined.
#[derive(Clone, Debug)]
struct Joined {
    member: Arc<OnceLock<Arc<Member>>>,
    cluster: ClusterName,
}

impl Joined {
    fn get(&self) -> Option<&Arc<Member>> {
        self.member.get()
    }
}

/// What a member tells of itself.
#[derive(Debug)]
pub(super) struct Face(Joined);

impl Face {
    /// Begins to listen; serves as long as the process lives.
    pub(super) async fn open(
        address: SocketAddr,
        door: &Door,
        cluster: &ClusterName,
    ) -> Result<Self, Failure> {
        let tls = door.tls()?;
        check(address, door, tls.as_ref())?;
        let gate = Arc::new(door.gate(cluster, address)?);
        let listener = bound(address, "--listen").await?;
        let scheme = if tls.is_some() { "https" } else { "http" };
        talk::say(&format!("listening on {scheme}://{}", listener.local_addr().unwrap_or(address)));
        if let Some(told) = kept_back(address, door) {
            talk::say(told);
        }
        let face = Self::of(cluster);
        let router = gate.guard(routes(face.0.clone()));
        tokio::spawn(serve(listener, tls, router, CancellationToken::new()));
        Ok(face)
    }

    /// Begins to listen for Prometheus and probes, who send no token: they get what is theirs, and nothing else.
    pub(super) async fn open_plain(
        address: SocketAddr,
        door: &Door,
        cluster: &ClusterName,
    ) -> Result<Self, Failure> {
        let gate = Arc::new(door.plain_gate(cluster, address));
        let listener = bound(address, "--metrics-listen").await?;
        talk::say(&format!("metrics at http://{}/metrics", listener.local_addr().unwrap_or(address)));
        let face = Self::of(cluster);
        let router = gate.guard(vitals().with_state(face.0.clone()));
        tokio::spawn(serve(listener, None, router, CancellationToken::new()));
        Ok(face)
    }

    fn of(cluster: &ClusterName) -> Self {
        Self(Joined { member: Arc::default(), cluster: cluster.clone() })
    }

    /// From now on it tells of `member`.
    pub(super) fn show(&self, member: &Arc<Member>) {
        // Joined once.
        let _ = self.0.member.set(Arc::clone(member));
    }
}

/// Without people nobody sends a token, and what is left to see may travel openly.
fn check(address: SocketAddr, door: &Door, tls: Option<&Tls>) -> Result<(), Failure> {
    match door.has_people() {
        true => allowed(address, true, tls.is_some()).map_err(|error| usage(&error)),
        false => Ok(()),
    }
}

fn kept_back(address: SocketAddr, door: &Door) -> Option<&'static str> {
    match (address.ip().is_loopback() || door.has_people(), door.has_public_metrics()) {
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
        Ok(snapshot) => ([(header::CONTENT_TYPE, "application/json")], show::json(&snapshot)).into_response(),
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n")).into_response(),
    }
}

fn starting() -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, "starting: not joined yet\n").into_response()
}
