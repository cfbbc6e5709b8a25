//! Health, metrics and status over HTTP: `/livez`, `/readyz`, `/metrics`, `/v1/status`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tenure::Member;
use tenure_dashboard::{METRICS_TYPE, member_page};
use tokio::net::TcpListener;

use crate::exit::{Exit, Failure};
use crate::talk;

/// An address to listen on: `127.0.0.1:9090`; `:9090` and `9090` are on loopback.
pub(crate) fn address(text: &str) -> Result<SocketAddr, String> {
    let local = |port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
    let port = text.strip_prefix(':').unwrap_or(text).parse().map(local);
    port.or_else(|_| text.parse()).map_err(|_| "use a port, such as :9090, or an address with one".into())
}

/// Begins to listen; serves as long as the process lives.
pub(super) async fn serve(address: SocketAddr, member: Arc<Member>) -> Result<(), Failure> {
    let listener = TcpListener::bind(address).await.map_err(|error| {
        Failure::new(Exit::Usage, format!("can't listen on {address}; choose another --listen"))
            .because(error)
    })?;
    if let Ok(bound) = listener.local_addr() {
        talk::say(&format!("listening on http://{bound}"));
    }
    tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, routes(member)).await {
            talk::error(&format!("no longer listening on {address}: {error}"));
        }
    });
    Ok(())
}

fn routes(member: Arc<Member>) -> Router {
    Router::new()
        .route("/livez", get(|| async { "alive\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .route("/v1/status", get(status))
        .with_state(member)
}

/// Ready is who holds a lease: only then can it own a shard.
async fn ready(State(member): State<Arc<Member>>) -> Response {
    if member.metrics().detached {
        return (StatusCode::SERVICE_UNAVAILABLE, "detached: no lease\n").into_response();
    }
    "ready\n".into_response()
}

async fn metrics(State(member): State<Arc<Member>>) -> Response {
    ([(header::CONTENT_TYPE, METRICS_TYPE)], member_page(&member.metrics())).into_response()
}

async fn status(State(member): State<Arc<Member>>) -> Response {
    match member.snapshot().await {
        Ok(snapshot) => axum::Json(snapshot).into_response(),
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n")).into_response(),
    }
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
}
