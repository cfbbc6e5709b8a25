//! A server that answers by a script: for answers that no real server gives when it is asked to.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;

/// A request that came.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) method: String,
    /// The path and the query.
    pub(crate) target: String,
    headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Asked {
    /// The value of a header, by its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// Whether names are asked for, not an object.
    pub(crate) fn lists(&self) -> bool {
        self.method == "GET" && (self.target.contains("list-type=2") || self.target.contains("comp=list"))
    }
}

/// What a request is answered with.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    Say {
        status: u16,
        headers: Vec<(String, String)>,
        body: Vec<u8>,
    },
    /// Nothing: the connection is closed.
    Close,
    /// Nothing, ever.
    Silence,
}

impl Answer {
    pub(crate) fn say(status: u16, body: impl AsRef<[u8]>) -> Self {
        Self::Say { status, headers: Vec::new(), body: body.as_ref().to_vec() }
    }

    pub(crate) fn with(self, name: &str, value: &str) -> Self {
        match self {
            Self::Say { status, mut headers, body } => {
                headers.push((name.to_owned(), value.to_owned()));
                Self::Say { status, headers, body }
            }
            Self::Close | Self::Silence => self,
        }
    }
}

type Script = Arc<dyn Fn(&Asked) -> Answer + Send + Sync>;
type Log = Arc<Mutex<Vec<Asked>>>;

/// The server. Ends when it is dropped.
pub(crate) struct Scripted {
    address: SocketAddr,
    log: Log,
    acceptor: AbortHandle,
}

impl Scripted {
    pub(crate) async fn start(script: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, log, script) =
            (listener.local_addr().unwrap(), Log::default(), Arc::new(script) as Script);
        let acceptor = tokio::spawn(accept(listener, script, Arc::clone(&log))).abort_handle();
        Self { address, log, acceptor }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Everything that was asked so far, in order.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.log.lock().unwrap().clone()
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.acceptor.abort();
    }
}

async fn accept(listener: TcpListener, script: Script, log: Log) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        tokio::spawn(serve(stream, Arc::clone(&script), Arc::clone(&log)));
    }
}

async fn serve(mut stream: TcpStream, script: Script, log: Log) {
    while let Some(asked) = read(&mut stream).await {
        log.lock().unwrap().push(asked.clone());
        match script(&asked) {
            Answer::Say { status, headers, body } => {
                let sent = stream.write_all(&spelled(status, &headers, &body)).await;
                if sent.is_err() {
                    return;
                }
            }
            Answer::Close => return,
            Answer::Silence => std::future::pending().await,
        }
    }
}

async fn read(stream: &mut TcpStream) -> Option<Asked> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).unwrap();
    let mut lines = head.lines();
    let mut request = lines.next()?.split(' ');
    let (method, target) = (request.next()?.to_owned(), request.next()?.to_owned());
    let named = lines.filter_map(|line| line.split_once(": "));
    let headers: BTreeMap<String, String> =
        named.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
    let length = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(Asked { method, target, headers, body })
}

fn spelled(status: u16, headers: &[(String, String)], body: &[u8]) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status} Said\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    // An answer without a body has no length to tell.
    if status != 304 && status != 204 {
        head.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    head.push_str("\r\n");
    [head.as_bytes(), body].concat()
}
