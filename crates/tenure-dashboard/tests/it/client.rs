//! A client that says exactly what it is told to: refusals are about headers that a real client would not send.

use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn parse(text: &str) -> Self {
        let (head, body) = text.split_once("\r\n\r\n").expect("a head and a body");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Self { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The JSON of a success.
    pub(crate) fn well(&self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        self.json()
    }

    /// The kind of problem that it tells, and its status.
    pub(crate) fn problem(&self) -> (u16, String) {
        (self.status, self.json()["problem"].as_str().unwrap().to_owned())
    }
}

/// A request as it is written. HTTP/1.0: the body ends with the connection.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    line: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl Request {
    pub(crate) fn get(path: &str) -> Self {
        let headers = vec![("host".into(), "localhost:7400".into())];
        Self { line: format!("GET {path}"), headers, body: String::new() }
    }

    pub(crate) fn post(path: &str, body: &str) -> Self {
        let request = Self::get(path).with("content-type", "application/json");
        let request = request.with("content-length", &body.len().to_string());
        Self { line: format!("POST {path}"), body: body.to_owned(), ..request }
    }

    /// With this header, in place of one of that name.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Without this header.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self
    }

    pub(crate) fn text(&self) -> String {
        let headers: String =
            self.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        format!("{} HTTP/1.0\r\n{headers}\r\n{}", self.line, self.body)
    }

    /// Sends it, and reads the whole answer.
    pub(crate) async fn send(&self, to: SocketAddr) -> Answer {
        let mut stream = TcpStream::connect(to).await.unwrap();
        stream.write_all(self.text().as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        Answer::parse(&String::from_utf8(answer).unwrap())
    }
}

/// A stream of events.
#[derive(Debug)]
pub(crate) struct Events(BufReader<TcpStream>);

impl Events {
    pub(crate) async fn open(to: SocketAddr) -> Self {
        Self::of("/api/v1/stream", to).await
    }

    pub(crate) async fn of(path: &str, to: SocketAddr) -> Self {
        let mut stream = TcpStream::connect(to).await.unwrap();
        stream.write_all(Request::get(path).text().as_bytes()).await.unwrap();
        let mut lines = BufReader::new(stream);
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            assert_ne!(lines.read_line(&mut line).await.unwrap(), 0, "it ended before it began");
        }
        Self(lines)
    }

    /// The next event with its data; `None` when the stream has ended.
    pub(crate) async fn next(&mut self) -> Option<(String, Value)> {
        let mut name = String::new();
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).await.unwrap() == 0 {
                return None;
            }
            if let Some(said) = line.strip_prefix("event: ") {
                name = said.trim().to_owned();
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return Some((name, serde_json::from_str(data).unwrap()));
            }
        }
    }

    /// The data of the next event of this name that is as wanted.
    pub(crate) async fn until(&mut self, wanted: &str, like: impl Fn(&Value) -> bool) -> Value {
        loop {
            let (name, data) = self.next().await.expect("the stream goes on");
            if name == wanted && like(&data) {
                return data;
            }
        }
    }
}
