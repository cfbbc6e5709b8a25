//! I7 for the dashboard's face: whatever is asked over a connection, by whomever, is answered or refused.

use std::net::SocketAddr;

use tenure::clock::Clock;
use tenure::store::{Memory, When};
use tenure_fuzz::{Target, http};
use tokio::runtime::{Builder, Runtime};

use super::*;
use crate::guard::Tokens;
use crate::serve::converse;

const FROM: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 4711);

const RECORDS: [(&str, &str); 3] = [
    (
        "orders/meta",
        r#"{"v":1,"lineage":"0f0e0d0c0b0a09080706050403020100","state":"ready","shards":4,"page_size":4,
        "ttl_max_ms":60000,"placement":"rendezvous","plan_version":1,"spread_zones":true}"#,
    ),
    (
        "orders/ledger/00000",
        r#"{"v":1,"lineage":"0f0e0d0c0b0a09080706050403020100","generation":9,
        "lives":[["a","00000000000000000000000000000001",1]],"holdings":[[0,1],[0,4],[0,7],[-1,0]]}"#,
    ),
    (
        "orders/members/a",
        r#"{"v":1,"line":"00000000000000000000000000000001","term":1,"process":"00000000000000000000000000000007","seq":5,
        "state":"active","ttl_ms":10000,"weight":3,"version":"0.1.0","drained":false,"at_ms":1700000000000}"#,
    ),
];

/// A dashboard on a cluster that nobody lives in, on which eve may do everything.
struct Face {
    runtime: Runtime,
    dashboard: Dashboard,
}

impl Face {
    fn open() -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let dashboard = runtime.block_on(async {
            let store = Memory::default();
            for (key, value) in RECORDS {
                store.put(key, value.into(), When::Absent).await.unwrap();
            }
            let tokens = Tokens::parse("eve 0123456789abcdef role=admin\n").unwrap();
            let gate = Gate::new("orders".parse().unwrap()).keys(tokens);
            Dashboard::builder(store, "orders".parse().unwrap()).gate(gate).start()
        });
        let face = Self { runtime, dashboard };
        while face.status(b"GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n") != Some(200) {
            face.runtime.block_on(Clock::boot().sleep(std::time::Duration::from_millis(1)));
        }
        face
    }

    fn status(&self, question: &[u8]) -> Option<u16> {
        let serve = |stream| converse(stream, FROM, self.dashboard.router());
        let answer = self.runtime.block_on(http::ask(question, serve));
        // Such panics are told to whoever asked, and would be overlooked here.
        for words in ["the plan could not be made", "a bug ended it"] {
            assert!(!contains(&answer, words.as_bytes()), "{}", answer.escape_ascii());
        }
        let status = http::status(&answer);
        assert_ne!(status, Some(500), "{}", answer.escape_ascii());
        status
    }

    fn understands(&self, question: &[u8]) -> bool {
        self.status(question).is_some_and(|status| status < 400)
    }
}

fn contains(bytes: &[u8], words: &[u8]) -> bool {
    bytes.windows(words.len()).any(|window| window == words)
}

/// A question for each route, by somebody who may ask for everything.
fn questions() -> Vec<String> {
    let headers = r#"{"host":"localhost:7400","content-type":"application/json","authorization":"Bearer 0123456789abcdef",
        "origin":"http://localhost:7400","sec-fetch-site":"same-origin","accept":"*/*"}"#;
    let look = |path: &str| format!(r#"{{"line":"GET {path}","headers":{headers}}}"#);
    let act =
        |path: &str, body: &str| format!(r#"{{"line":"POST {path}","headers":{headers},"body":{body}}}"#);
    let looks = [
        "/",
        "/livez",
        "/readyz",
        "/metrics",
        "/api/v1/picture",
        "/api/v1/timeline?from_ms=1&to_ms=1700000000000",
        "/api/v1/health?from_ms=0",
        "/api/v1/stream",
        "/v1/owner?key=order-17",
        "/v1/shards/0",
        "/v1/events",
        "/api/v1/me",
    ];
    let why = r#"{"why":"because"}"#;
    let acts = [
        act("/api/v1/plan", r#"{"add":[{"id":"b","weight":2,"zone":"z"}],"remove":[],"weigh":[]}"#),
        act("/api/v1/members/a/note", r#"{"why":"b","text":"c"}"#),
        act("/api/v1/members/a/drain", why),
        act("/api/v1/members/a/undrain", why),
        act("/api/v1/shards/0/move", r#"{"why":"b","to":"a"}"#),
        act("/api/v1/members/a/fence", r#"{"why":"b","let_return":true}"#),
        act("/api/v1/playground/members", why),
    ];
    looks.into_iter().map(look).chain(acts).collect()
}

#[test]
fn fuzz_dashboard_questions() {
    let face = Face::open();
    Target::new("dashboard-questions", questions()).run(|json| {
        let Some(question) = http::question(json) else { return false };
        face.status(&question).is_some()
    });
}

#[test]
fn fuzz_dashboard_bytes() {
    let face = Face::open();
    let look = "GET /api/v1/health?from_ms=1 HTTP/1.1\r\nhost: localhost\r\naccept: */*\r\n\r\n";
    let chunked = "POST /api/v1/plan HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
    Target::new("dashboard-bytes", [look, chunked]).run(|bytes| face.understands(bytes));
}

#[test]
fn every_question_of_the_fuzz_is_one_that_is_answered() {
    let face = Face::open();
    let refused: Vec<_> = questions()
        .into_iter()
        .map(|json| (face.status(&http::question(json.as_bytes()).unwrap()), json))
        .filter(|(status, json)| {
            *status != Some(200) && !json.contains("playground") && !json.contains("/move")
        })
        .collect();
    assert_eq!(refused, []);
}
