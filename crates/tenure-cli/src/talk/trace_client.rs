//! Brings traces to the collector, and says once if it can't.
//!
//! The exporter tries again by itself and has a thread of its own, so a collector that is away costs no time; it would
//! only be told of again and again.

use std::error::Error as StdError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{
    OTEL_EXPORTER_OTLP_TIMEOUT, OTEL_EXPORTER_OTLP_TIMEOUT_DEFAULT, OTEL_EXPORTER_OTLP_TRACES_TIMEOUT,
};
use reqwest::blocking::Client;

use super::collector::Collector;
use crate::exit::{Exit, Failure};

/// The way to a collector.
#[derive(Debug)]
pub(super) struct TraceClient {
    client: Client,
    place: String,
    /// Whether somebody was told that it is away.
    away: AtomicBool,
}

impl TraceClient {
    pub(super) fn to(collector: &Collector) -> Result<Self, Failure> {
        // Another part of this process may have chosen it already: the same one.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Client::builder().timeout(patience());
        if collector.url.scheme() == "http" {
            // Without TLS, a machine without certificates will do.
            builder = builder.tls_certs_only([]);
        }
        let client = builder.build().map_err(|error| {
            let message = format!("can't prepare to send traces to {}; check its address", collector.place());
            Failure::new(Exit::Usage, message).because(error)
        })?;
        Ok(Self { client, place: collector.place(), away: AtomicBool::new(false) })
    }

    fn note(&self, trouble: Option<String>) {
        let collector = &self.place;
        let was_away = self.away.swap(trouble.is_some(), Ordering::Relaxed);
        match trouble {
            Some(error) if !was_away => {
                tracing::warn!(
                    collector,
                    error,
                    "traces do not arrive, all else goes on; check the collector"
                );
            }
            None if was_away => tracing::info!(collector, "traces arrive again"),
            Some(_) | None => {}
        }
    }
}

#[async_trait]
impl HttpClient for TraceClient {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let answer = self.client.send_bytes(request).await;
        self.note(match &answer {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(format!("it answered {}", answer.status())),
            Err(error) => Some(root(error.as_ref()).to_string()),
        });
        answer
    }
}

/// What an error came from. What stands above it repeats the address, with what may be secret in it.
fn root<'a>(error: &'a (dyn StdError + 'static)) -> &'a (dyn StdError + 'static) {
    std::iter::successors(Some(error), |error| StdError::source(*error)).last().unwrap_or(error)
}

/// How long the collector may take, as the usual variables say it: in milliseconds.
fn patience() -> Duration {
    let variables = [OTEL_EXPORTER_OTLP_TRACES_TIMEOUT, OTEL_EXPORTER_OTLP_TIMEOUT];
    let said = variables.iter().find_map(|name| std::env::var(name).ok()?.parse().ok());
    said.map_or(OTEL_EXPORTER_OTLP_TIMEOUT_DEFAULT, Duration::from_millis)
}
