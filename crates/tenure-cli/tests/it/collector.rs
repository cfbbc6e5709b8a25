//! A collector on loopback: takes what it is sent, or refuses it, or never answers.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use tokio::net::TcpListener;

/// What it does with what it is sent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mood {
    Takes,
    Refuses,
    NeverAnswers,
}

/// A collector.
#[derive(Debug)]
pub(crate) struct Collector {
    address: SocketAddr,
    sent: Sent,
}

/// Whatever was sent, in order.
type Sent = Arc<Mutex<Vec<ExportTraceServiceRequest>>>;

impl Collector {
    pub(crate) async fn start(mood: Mood) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let sent = Sent::default();
        let router = Router::new().route("/v1/traces", post(take)).with_state((Arc::clone(&sent), mood));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, sent }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// How often something was sent.
    pub(crate) fn count(&self) -> usize {
        self.sent.lock().unwrap().len()
    }

    /// Waits until something was sent so often. If that never comes, the test hangs, and is seen.
    pub(crate) async fn await_count(&self, count: usize) {
        while self.count() < count {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// All spans that were sent.
    pub(crate) fn spans(&self) -> Vec<Span> {
        let sent = self.sent.lock().unwrap();
        let of_resources = sent.iter().flat_map(|request| &request.resource_spans);
        let of_scopes = of_resources.flat_map(|resource| &resource.scope_spans);
        of_scopes.flat_map(|scope| scope.spans.clone()).collect()
    }

    /// What every sender says of itself under this name, each once.
    pub(crate) fn senders(&self, name: &str) -> Vec<String> {
        let sent = self.sent.lock().unwrap();
        let resources = sent.iter().flat_map(|request| &request.resource_spans);
        let mut said: Vec<_> =
            resources.map(|one| text(&one.resource.as_ref().unwrap().attributes, name).unwrap()).collect();
        said.dedup();
        said
    }
}

async fn take(State((sent, mood)): State<(Sent, Mood)>, body: Bytes) -> StatusCode {
    sent.lock().unwrap().push(ExportTraceServiceRequest::decode(body).unwrap());
    match mood {
        Mood::Takes => StatusCode::OK,
        Mood::Refuses => StatusCode::SERVICE_UNAVAILABLE,
        Mood::NeverAnswers => std::future::pending().await,
    }
}

/// The attribute of this name, as text.
pub(crate) fn text(attributes: &[KeyValue], name: &str) -> Option<String> {
    let attribute = attributes.iter().find(|attribute| attribute.key == name)?;
    match &attribute.value {
        Some(AnyValue { value: Some(Value::StringValue(text)) }) => Some(text.clone()),
        other => panic!("{name} is {other:?}"),
    }
}
