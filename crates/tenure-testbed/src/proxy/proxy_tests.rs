//! Each mode, in front of a server that says back what it hears.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::{Mode, Proxy};

/// Long enough for the loopback; whatever has not come by then is taken for lost.
const A_WHILE: Duration = Duration::from_millis(150);

/// Says back what it hears, and counts it.
struct Echo {
    address: SocketAddr,
    heard: Arc<AtomicU64>,
}

impl Echo {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, heard) = (listener.local_addr().unwrap(), Arc::new(AtomicU64::new(0)));
        tokio::spawn(serve(listener, Arc::clone(&heard)));
        Self { address, heard }
    }

    fn heard(&self) -> u64 {
        self.heard.load(Ordering::SeqCst)
    }
}

async fn serve(listener: TcpListener, heard: Arc<AtomicU64>) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(echo(stream, Arc::clone(&heard)));
    }
}

async fn echo(mut stream: TcpStream, heard: Arc<AtomicU64>) {
    let mut buffer = [0; 1024];
    while let Ok(count @ 1..) = stream.read(&mut buffer).await {
        heard.fetch_add(count as u64, Ordering::SeqCst);
        let _ = stream.write_all(&buffer[..count]).await;
    }
}

async fn bed() -> (Echo, Proxy, TcpStream) {
    let echo = Echo::start().await;
    let proxy = Proxy::start(echo.address).await.unwrap();
    let mut client = TcpStream::connect(proxy.address()).await.unwrap();
    assert_eq!(ask(&mut client, "hello").await, "hello");
    (echo, proxy, client)
}

async fn ask(client: &mut TcpStream, words: &str) -> String {
    client.write_all(words.as_bytes()).await.unwrap();
    let mut answer = vec![0; words.len()];
    client.read_exact(&mut answer).await.unwrap();
    String::from_utf8(answer).unwrap()
}

async fn hears_nothing(client: &mut TcpStream) -> bool {
    tokio::time::timeout(A_WHILE, client.read(&mut [0; 64])).await.is_err()
}

async fn is_closed(client: &mut TcpStream) -> bool {
    matches!(client.read(&mut [0; 64]).await, Ok(0) | Err(_))
}

#[tokio::test]
async fn bytes_pass_both_ways_and_are_counted() {
    let (echo, proxy, mut client) = bed().await;
    assert_eq!(ask(&mut client, "again").await, "again");
    assert_eq!((echo.heard(), proxy.connections()), (10, 1));
    assert_eq!((proxy.bytes_to_server(), proxy.bytes_to_client()), (10, 10));
}

#[tokio::test]
async fn the_end_of_one_side_is_told_to_the_other() {
    let (_echo, _proxy, mut client) = bed().await;
    client.shutdown().await.unwrap();
    assert!(is_closed(&mut client).await);
}

#[tokio::test]
async fn a_delay_counts_each_way() {
    let (_echo, proxy, mut client) = bed().await;
    proxy.set(Mode::Delay(Duration::from_millis(40)));
    let asked = Instant::now();
    assert_eq!(ask(&mut client, "slow").await, "slow");
    assert!(asked.elapsed() >= Duration::from_millis(80));
}

#[tokio::test]
async fn what_is_held_arrives_when_bytes_pass_again() {
    let (_echo, proxy, mut client) = bed().await;
    proxy.set(Mode::Delay(Duration::from_secs(3600)));
    client.write_all(b"late").await.unwrap();
    assert!(hears_nothing(&mut client).await);
    proxy.set(Mode::Pass);
    let mut answer = [0; 4];
    client.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"late");
}

#[tokio::test]
async fn what_is_held_is_lost_in_a_black_hole() {
    let (echo, proxy, mut client) = bed().await;
    proxy.set(Mode::Delay(Duration::from_secs(3600)));
    client.write_all(b"held").await.unwrap();
    assert!(hears_nothing(&mut client).await);
    proxy.set(Mode::BlackHole);
    assert!(hears_nothing(&mut client).await);
    proxy.set(Mode::Pass);
    assert!(is_closed(&mut client).await);
    assert_eq!(echo.heard(), 5);
}

#[tokio::test]
async fn a_black_hole_swallows_and_tells_nobody() {
    let (echo, proxy, mut client) = bed().await;
    proxy.set(Mode::BlackHole);
    client.write_all(b"anybody").await.unwrap();
    assert!(hears_nothing(&mut client).await);
    assert_eq!(echo.heard(), 5);
}

#[tokio::test]
async fn a_black_hole_takes_connections_that_lead_nowhere() {
    let (echo, proxy, _client) = bed().await;
    proxy.set(Mode::BlackHole);
    let mut other = TcpStream::connect(proxy.address()).await.unwrap();
    other.write_all(b"anybody").await.unwrap();
    assert!(hears_nothing(&mut other).await);
    proxy.set(Mode::Pass);
    assert!(is_closed(&mut other).await);
    assert_eq!(echo.heard(), 5);
}

#[tokio::test]
async fn a_stream_that_lost_nothing_survives_a_black_hole() {
    let (_echo, proxy, mut client) = bed().await;
    proxy.set(Mode::BlackHole);
    assert!(hears_nothing(&mut client).await);
    proxy.set(Mode::Pass);
    assert_eq!(ask(&mut client, "still here").await, "still here");
}

#[tokio::test]
async fn a_stream_that_lost_bytes_never_goes_on() {
    let (echo, proxy, mut client) = bed().await;
    proxy.set(Mode::BlackHole);
    client.write_all(b"lost").await.unwrap();
    assert!(hears_nothing(&mut client).await);
    proxy.set(Mode::Pass);
    assert!(is_closed(&mut client).await);
    assert_eq!(echo.heard(), 5);
}

#[tokio::test]
async fn a_cut_closes_what_is_open_and_refuses_what_comes() {
    let (_echo, proxy, mut client) = bed().await;
    proxy.set(Mode::Cut);
    assert!(is_closed(&mut client).await);
    let refused = TcpStream::connect(proxy.address()).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
}

#[tokio::test]
async fn after_a_cut_the_same_address_serves_again() {
    let (_echo, proxy, mut client) = bed().await;
    for _ in 0..3 {
        proxy.set(Mode::Cut);
        assert!(is_closed(&mut client).await);
        proxy.set(Mode::Pass);
        client = TcpStream::connect(proxy.address()).await.unwrap();
        assert_eq!(ask(&mut client, "back").await, "back");
    }
}

#[tokio::test]
async fn answers_are_dropped_and_requests_are_not() {
    let (echo, proxy, mut client) = bed().await;
    proxy.set(Mode::DropAnswers);
    client.write_all(b"done?").await.unwrap();
    assert!(hears_nothing(&mut client).await);
    assert_eq!(echo.heard(), 10);
    proxy.set(Mode::Pass);
    assert!(is_closed(&mut client).await);
}

#[tokio::test]
async fn one_answer_is_lost_with_its_connection() {
    let (echo, proxy, mut client) = bed().await;
    let mut other = TcpStream::connect(proxy.address()).await.unwrap();
    proxy.set(Mode::DropAnswerThenCut);
    client.write_all(b"done?").await.unwrap();
    assert!(is_closed(&mut client).await);
    assert_eq!((echo.heard(), proxy.answers_lost(), proxy.mode()), (10, 1, Mode::Pass));
    assert_eq!(ask(&mut other, "other").await, "other");
}

#[tokio::test]
async fn a_server_that_is_gone_is_told_as_it_is() {
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let proxy = Proxy::start(gone).await.unwrap();
    let mut client = TcpStream::connect(proxy.address()).await.unwrap();
    assert!(is_closed(&mut client).await);
}

#[tokio::test]
async fn each_server_has_a_proxy_of_its_own() {
    let (one, two) = (Echo::start().await, Echo::start().await);
    let proxies = Proxy::start_each(&[one.address, two.address]).await.unwrap();
    proxies[0].set(Mode::Cut);
    let mut client = TcpStream::connect(proxies[1].address()).await.unwrap();
    assert_eq!(ask(&mut client, "two").await, "two");
    assert_eq!((one.heard(), two.heard()), (0, 3));
}

#[tokio::test]
async fn requests_over_http_are_counted_by_method() {
    let echo = Echo::start().await;
    let proxy = Proxy::start_http(echo.address).await.unwrap();
    let mut client = TcpStream::connect(proxy.address()).await.unwrap();
    ask(&mut client, "PUT /a HTTP/1.1\r\ncontent-length: 3\r\n\r\nabcGET /a HTTP/1.1\r\n\r\n").await;
    let counted: Vec<_> = proxy.requests().into_iter().collect();
    assert_eq!(counted, [("GET".into(), 1), ("PUT".into(), 1)]);
}

#[tokio::test]
async fn connections_end_with_the_proxy() {
    let (_echo, proxy, mut client) = bed().await;
    drop(proxy);
    assert!(is_closed(&mut client).await);
}
