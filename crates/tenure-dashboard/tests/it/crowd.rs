//! More visitors than can be served at once: each kind has its own share, silence has none, and probes are always answered.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::response::Sse;
use axum::response::sse::Event;
use axum::routing::get;
use futures_util::stream;
use tenure_dashboard::serve::{self, Limits};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// A server whose `/held` tells that it was asked and never answers, and whose `/stream` never ends.
async fn start() -> (SocketAddr, mpsc::UnboundedReceiver<()>) {
    let (asked, hears) = mpsc::unbounded_channel();
    let held = move || async move {
        asked.send(()).unwrap();
        std::future::pending::<()>().await;
    };
    let endless = async || Sse::new(stream::pending::<Result<Event, std::convert::Infallible>>());
    let router = Router::new()
        .route("/held", get(held))
        .route("/stream", get(endless))
        .route("/quick", get(async || "quick"))
        .route("/livez", get(async || "alive"))
        .route("/metrics", get(async || "figures"));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve::serve(listener, None, router, CancellationToken::new()));
    (address, hears)
}

/// A connection on which this was asked for.
async fn ask(address: SocketAddr, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").as_bytes()).await.unwrap();
    stream
}

/// The status of the answer; the connection stays.
async fn status(stream: &mut TcpStream) -> String {
    let mut line = [0; "HTTP/1.1 200".len()];
    stream.read_exact(&mut line).await.unwrap();
    String::from_utf8(line.to_vec()).unwrap().split_off("HTTP/1.1 ".len())
}

async fn asked(address: SocketAddr, path: &str) -> String {
    status(&mut ask(address, path).await).await
}

#[tokio::test]
async fn silent_connections_keep_nobody_out_however_many_they_are() {
    let (address, _asked) = start().await;
    let mut silent = Vec::new();
    for _ in 0..3 * Limits::of_this_process().connections {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(b"GET /quick HTTP/1.1\r\nhost: loc").await.unwrap();
        silent.push(stream);
    }
    for path in ["/livez", "/metrics", "/quick"] {
        assert_eq!(asked(address, path).await, "200", "{path}");
    }
    // The first was told to leave: it ends, and is not answered.
    assert_eq!(silent[0].read(&mut [0; 1]).await.unwrap_or(0), 0);
}

#[tokio::test]
async fn questions_beyond_their_share_are_sent_away_while_probes_and_figures_are_answered() {
    let (address, mut hears) = start().await;
    let mut held = Vec::new();
    for _ in 0..Limits::of_this_process().requests {
        held.push(ask(address, "/held").await);
        hears.recv().await.unwrap();
    }
    for _ in 0..10 {
        assert_eq!(asked(address, "/quick").await, "503");
        assert_eq!(asked(address, "/livez").await, "200");
        assert_eq!(asked(address, "/metrics").await, "200");
    }
    drop(held);
    while asked(address, "/quick").await != "200" {}
}

#[tokio::test]
async fn streams_have_fewer_places_than_questions() {
    let (address, _asked) = start().await;
    let mut streams = Vec::new();
    for _ in 0..Limits::of_this_process().streams {
        let mut stream = ask(address, "/stream").await;
        assert_eq!(status(&mut stream).await, "200");
        streams.push(stream);
    }
    assert_eq!(asked(address, "/stream").await, "503");
    assert_eq!(asked(address, "/quick").await, "200");
    streams.pop();
    while asked(address, "/stream").await != "200" {}
}

/// Connections on which figures are asked for without end, though nobody waits for the answers; how many were answered.
async fn flood(connections: usize) -> (SocketAddr, Arc<AtomicUsize>) {
    let answered = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&answered);
    let figures = move || {
        count.fetch_add(1, Ordering::Relaxed);
        async { "figures" }
    };
    let router = Router::new().route("/livez", get(async || "alive")).route("/metrics", get(figures));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve::serve(listener, None, router, CancellationToken::new()));
    for _ in 0..connections {
        tokio::spawn(asking_without_end(address));
    }
    (address, answered)
}

async fn asking_without_end(address: SocketAddr) {
    let many = "GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(100);
    let (mut answers, mut questions) = TcpStream::connect(address).await.unwrap().into_split();
    tokio::spawn(async move { while questions.write_all(many.as_bytes()).await.is_ok() {} });
    let mut some = [0; 4096];
    while answers.read(&mut some).await.is_ok_and(|count| count > 0) {}
}

#[tokio::test]
async fn a_probe_waits_for_a_few_figures_at_most_however_many_are_asked_for() {
    let (address, answered) = flood(Limits::of_this_process().figures).await;
    let so_far = || answered.load(Ordering::Relaxed);
    while so_far() < 1_000 {
        tokio::task::yield_now().await;
    }
    for _ in 0..20 {
        let before = so_far();
        assert_eq!(asked(address, "/livez").await, "200");
        let meanwhile = so_far() - before;
        assert!(meanwhile < 100, "{meanwhile} pages of figures went before a probe");
    }
}
