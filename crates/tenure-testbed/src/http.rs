//! One question in plain HTTP: enough to see whether a server answers and to make a bucket.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A server that is frozen answers never.
const PATIENCE: Duration = Duration::from_secs(10);

/// Sends `method path` to `address` (`host:port`); answers the status.
pub(crate) async fn status(address: &str, method: &str, path: &str) -> Result<u16, String> {
    let exchange = tokio::time::timeout(PATIENCE, exchange(address, method, path)).await;
    let answer = exchange.map_err(io::Error::from).flatten();
    let answer = answer.map_err(|error| format!("{method} {path} at {address}: {error}"))?;
    let word = answer.split_whitespace().nth(1).and_then(|word| word.parse().ok());
    word.ok_or_else(|| format!("{method} {path} at {address}: the answer is no HTTP: {answer:?}"))
}

async fn exchange(address: &str, method: &str, path: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    let question = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(question.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}
