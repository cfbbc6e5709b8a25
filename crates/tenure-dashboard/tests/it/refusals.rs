//! Refusals: other names, other pages, long bodies, and those who say nothing.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::Request;
use crate::testbed::Testbed;

#[tokio::test(flavor = "multi_thread")]
async fn only_names_of_this_machine_are_answered_to() {
    let served = Testbed::new().dashboard().await;
    for host in ["localhost", "127.0.0.1:7400", "[::1]:7400"] {
        assert_eq!(Request::get("/").with("host", host).send(served.address).await.status, 200, "{host}");
    }
    for path in ["/", "/api/v1/picture", "/api/v1/stream", "/metrics", "/livez", "/nowhere"] {
        for host in ["evil.example", "evil.example:7400", "127.0.0.1.evil.example", ""] {
            let answer = Request::get(path).with("host", host).send(served.address).await;
            assert_eq!(answer.problem(), (403, "forbidden".into()), "{path} {host}");
        }
        assert_eq!(Request::get(path).without("host").send(served.address).await.status, 403, "{path}");
        let by_proxy = Request::get(&format!("http://evil.example{path}"));
        assert_eq!(by_proxy.send(served.address).await.status, 403, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_our_own_page_may_ask_for_more_than_to_look() {
    let bed = Testbed::new();
    let _ada = bed.member("ada").await;
    let served = bed.dashboard().await;
    served.settled(1).await;
    let plan = || Request::post("/api/v1/plan", "{}");
    assert_eq!(plan().send(served.address).await.status, 200);
    let own = plan().with("origin", "http://localhost:7400").with("sec-fetch-site", "same-origin");
    assert_eq!(own.send(served.address).await.status, 200);
    for (name, value) in [
        ("origin", "http://evil.example"),
        ("origin", "null"),
        ("origin", "http://localhost:9999"),
        ("sec-fetch-site", "cross-site"),
    ] {
        let answer = plan().with(name, value).send(served.address).await;
        assert_eq!(answer.problem(), (403, "forbidden".into()), "{name}: {value}");
        let bearer = format!("Bearer {}", crate::testbed::TOKEN);
        let drain =
            Request::post("/api/v1/members/ada/drain", r#"{"why": "x"}"#).with("authorization", &bearer);
        assert_eq!(drain.with(name, value).send(served.address).await.status, 403, "{name}: {value}");
    }
    assert!(!served.get("/api/v1/picture").await.head.contains("access-control-allow-origin"));
    assert_eq!(bed.audit().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_is_too_long_or_no_json_is_refused() {
    let served = Testbed::new().dashboard().await;
    let long = format!(r#"{{"remove": ["{}"]}}"#, "x".repeat(70_000));
    assert_eq!(served.ask("/api/v1/plan", &long).await.problem(), (413, "too_long".into()));
    let form = Request::post("/api/v1/plan", "{}").with("content-type", "text/plain");
    assert_eq!(form.send(served.address).await.problem(), (400, "invalid".into()));
    assert_eq!(served.get("/api/v1/plan").await.status, 405);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_says_nothing_is_cut_off() {
    let served = Testbed::new().dashboard().await;
    let mut silent = TcpStream::connect(served.address).await.unwrap();
    silent.write_all(b"GET / HTTP/1.1\r\nhost: local").await.unwrap();
    // Ends when the server closes the connection; else the test hangs, and is seen.
    let mut rest = Vec::new();
    silent.read_to_end(&mut rest).await.unwrap();
    assert!(!String::from_utf8_lossy(&rest).contains("200 OK"));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_announces_a_body_and_sends_none_is_not_waited_for() {
    let served = Testbed::new().dashboard().await;
    let unsent = Request::post("/api/v1/plan", "").with("content-length", "100");
    let answer = unsent.send(served.address).await;
    assert_eq!(answer.problem(), (400, "invalid".into()));
}
