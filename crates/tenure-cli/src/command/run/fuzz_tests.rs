//! I7 for a member's endpoint: whatever is asked over a connection is answered or refused, before the member has joined and after.

use std::net::{IpAddr, Ipv4Addr};

use tenure::store::Memory;
use tenure_dashboard::Gate;
use tenure_dashboard::serve::converse;
use tenure_fuzz::{Target, http};
use tokio::runtime::{Builder, Runtime};

use super::*;

const FROM: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 4711);

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

fn joined() -> Joined {
    Joined::of(&"orders".parse().unwrap())
}

/// What everybody on this machine may see of a member.
fn router(joined: &Joined) -> Router {
    let gate = Arc::new(Gate::new("orders".parse().unwrap()));
    gate.guard(routes(joined.clone()))
}

async fn member() -> Member {
    let builder = Member::builder(Memory::default()).cluster("orders").shards(2).member_id("ada");
    builder.start().await.unwrap()
}

fn status(runtime: &Runtime, joined: &Joined, question: &[u8]) -> Option<u16> {
    let answer = runtime.block_on(http::ask(question, |stream| converse(stream, FROM, router(joined))));
    let status = http::status(&answer);
    assert_ne!(status, Some(500), "{}", answer.escape_ascii());
    status
}

fn questions() -> [String; 5] {
    ["/livez", "/readyz", "/metrics", "/v1/status", "/nothing"].map(|path| {
        let headers = r#"{"host":"localhost:9090","accept":"*/*","authorization":"Bearer 0123456789abcdef"}"#;
        format!(r#"{{"line":"GET {path}","headers":{headers}}}"#)
    })
}

#[test]
fn fuzz_member_questions() {
    let (runtime, joined, before) = (runtime(), joined(), joined());
    joined.member.set(Arc::new(runtime.block_on(member()))).unwrap();
    Target::new("member-questions", questions()).run(|json| {
        let Some(question) = http::question(json) else { return false };
        let both = [&before, &joined].map(|joined| status(&runtime, joined, &question));
        both.iter().all(Option::is_some)
    });
}

#[test]
fn fuzz_member_bytes() {
    let (runtime, joined) = (runtime(), joined());
    let whole =
        "GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\nGET /metrics HTTP/1.0\r\nhost: localhost\r\n\r\n";
    Target::new("member-bytes", [whole]).run(|bytes| status(&runtime, &joined, bytes) == Some(200));
}
