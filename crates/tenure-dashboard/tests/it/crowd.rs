//! More connections than are served at once.

use std::io::ErrorKind;
use std::net::SocketAddr;

use axum::Router;
use axum::routing::get;
use tenure_dashboard::serve;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// So many are served at once.
const SERVED: usize = 256;

/// A server whose `/held` tells that it was asked and never answers.
async fn start() -> (SocketAddr, mpsc::UnboundedReceiver<()>) {
    let (asked, hears) = mpsc::unbounded_channel();
    let held = move || async move {
        asked.send(()).unwrap();
        std::future::pending::<()>().await;
    };
    let router = Router::new().route("/held", get(held)).route("/quick", get(async || "quick"));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve::serve(listener, None, router, CancellationToken::new()));
    (address, hears)
}

/// A connection on which this was asked for.
async fn ask(address: SocketAddr, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request(path).as_bytes()).await.unwrap();
    stream
}

fn request(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n")
}

/// Reads one answer to `/quick`; the connection stays.
async fn hear(stream: &mut BufReader<TcpStream>) {
    let mut line = String::new();
    stream.read_line(&mut line).await.unwrap();
    assert_eq!(line, "HTTP/1.1 200 OK\r\n");
    while line != "\r\n" {
        line.clear();
        stream.read_line(&mut line).await.unwrap();
    }
    stream.read_exact(&mut [0; "quick".len()]).await.unwrap();
}

#[tokio::test]
async fn a_connection_too_many_is_served_when_another_ends() {
    let (address, mut asked) = start().await;
    let mut held = Vec::new();
    for _ in 1..SERVED {
        held.push(ask(address, "/held").await);
        asked.recv().await.unwrap();
    }
    let mut last = BufReader::new(ask(address, "/quick").await);
    hear(&mut last).await;

    let late = ask(address, "/quick").await;
    // All run on one thread: a server that took the late one would have answered it among these.
    for _ in 0..100 {
        last.write_all(request("/quick").as_bytes()).await.unwrap();
        hear(&mut last).await;
    }
    assert_eq!(late.try_read(&mut [0; 1]).unwrap_err().kind(), ErrorKind::WouldBlock);

    drop(last);
    hear(&mut BufReader::new(late)).await;
    assert_eq!(held.len(), SERVED - 1, "all others are still there");
}
