//! `tenure dashboard` from outside: it shows what `tenure status` says, and listens only where it may.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tenure::store::{Store, When};
use tenure_stores::sqlite::SqliteStore;

use crate::testbed::Testbed;

const TOKEN: &str = "0123456789abcdef";

/// A dashboard that runs; killed when dropped.
struct Shown {
    child: Child,
    place: String,
    talk: BufReader<ChildStderr>,
}

impl Shown {
    fn start(bed: &Testbed, options: &[&str]) -> Self {
        let words = ["dashboard", "--listen", "127.0.0.1:0"];
        let mut program = bed.program(&[&words, options].concat());
        let mut child = program.stderr(Stdio::piped()).spawn().unwrap();
        let mut talk = BufReader::new(child.stderr.take().unwrap());
        let mut told = String::new();
        talk.read_line(&mut told).unwrap();
        let place = told
            .trim()
            .rsplit_once("http://")
            .expect("it tells where it is")
            .1
            .trim_end_matches('/')
            .to_owned();
        Self { child, place, talk }
    }

    fn get(&self, path: &str) -> String {
        self.ask(&format!("GET {path}"), "", "")
    }

    /// Acts by the token of `eve`.
    fn act(&self, path: &str, body: &str) -> String {
        let headers = format!(
            "authorization: Bearer {TOKEN}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n",
            body.len()
        );
        self.ask(&format!("POST {path}"), &headers, body)
    }

    /// Asks in HTTP/1.0, whose answer ends with the connection.
    fn ask(&self, what: &str, headers: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.place).unwrap();
        write!(stream, "{what} HTTP/1.0\r\nhost: {}\r\n{headers}\r\n{body}", self.place).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split_once("\r\n\r\n").unwrap().1.to_owned()
    }

    /// The next line that it says.
    fn says(&mut self) -> String {
        let mut line = String::new();
        self.talk.read_line(&mut line).unwrap();
        line
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The picture, as the status would say it.
fn as_status(picture: &Value) -> Value {
    let name = |index: &Value| match index.as_i64() {
        Some(index) if index >= 0 => picture["members"][index as usize]["id"].clone(),
        _ => Value::Null,
    };
    let shards = &picture["shards"];
    let count = picture["shard_count"].as_u64().unwrap() as usize;
    let why =
        |place: &Value| place.as_u64().map_or(Value::Null, |place| shards["reasons"][place as usize].clone());
    let holding = |shard: usize| {
        json!({
            "shard": shard,
            "owner": name(&shards["owner"][shard]),
            "epoch": shards["epoch"][shard],
            "heir": name(&shards["heir"][shard]),
            "since_ms": shards["since_ms"][shard],
            "why": why(&shards["why"][shard]),
        })
    };
    json!({
        "shards": count,
        "holdings": (0..count).map(holding).collect::<Vec<_>>(),
        "problems": picture["problems"],
        "members": picture["members"].as_array().unwrap().iter().map(|member| json!([
            member["id"], member["incarnation"], member["state"], member["weight"], member["zone"], member["version"],
            member["lease"]["ttl_ms"], member["shards"],
        ])).collect::<Vec<_>>(),
    })
}

fn of_status(status: &Value) -> Value {
    let members = status["members"].as_array().unwrap().iter().map(|member| {
        json!([
            member["id"],
            member["incarnation"],
            member["state"],
            member["weight"],
            member["zone"],
            member["version"],
            member["ttl_ms"],
            member["holds"].as_array().unwrap().len(),
        ])
    });
    json!({
        "shards": status["shards"],
        "holdings": status["holdings"],
        "problems": status["problems"],
        "members": members.collect::<Vec<_>>(),
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn the_dashboard_and_the_status_tell_one_truth() {
    let bed = Testbed::new();
    let _members = bed.members(&["ada", "ben"]).await;
    let shown = Shown::start(&bed, &[]);
    // What both say before and after one another is the same, or something moved in between.
    loop {
        let before = of_status(&bed.status().await);
        let picture: Value = serde_json::from_str(&shown.get("/api/v1/picture")).unwrap();
        if picture["sight"]["state"] == "seen" && before == of_status(&bed.status().await) {
            assert_eq!(as_status(&picture), before);
            break;
        }
    }
    assert!(shown.get("/metrics").contains("tenure_cluster_unowned_shards{cluster=\"default\"} 0"));
}

/// Written by hand, since nobody of ours can.
async fn stray(bed: &Testbed, name: &str) {
    let store = SqliteStore::open(bed.path("tenure.db")).await.unwrap();
    let key = format!("default/members/{name}");
    store.put(&key, "nobody's".into(), When::Absent).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_under_a_name_that_no_member_can_have_is_told_of_by_both() {
    let bed = Testbed::new();
    let _ada = bed.members(&["ada"]).await;
    stray(&bed, "<script>\x1b[2J").await;
    let status = bed.status().await;
    let problems = status["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 1, "{status}");
    let expected = r#"a member's record is named "<script>\u{1b}[2J": no member can have that name"#;
    assert!(problems[0].as_str().unwrap().starts_with(expected), "{status}");
    let text = bed.tenure(&["status"]).await.well();
    assert!(text.contains(expected) && !text.contains('\x1b'), "{text:?}");
    let shown = Shown::start(&bed, &[]);
    let picture = loop {
        let picture: Value = serde_json::from_str(&shown.get("/api/v1/picture")).unwrap();
        if picture["sight"]["state"] == "seen" {
            break picture;
        }
    };
    assert_eq!((&picture["problems"], &picture["members"][1]), (&status["problems"], &Value::Null));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_act_is_told_on_standard_error_whatever_the_log_and_without_an_audit_log() {
    let bed = Testbed::new();
    let _ada = bed.members(&["ada"]).await;
    bed.write_secret("tokens", &format!("eve {TOKEN}\n"));
    for log in [&[][..], &["--log", "off"], &["--log", "tenure=error"]] {
        let mut shown = Shown::start(&bed, &[&["--token-file", "tokens"], log].concat());
        let done = shown.act("/api/v1/members/ada/note", r#"{"why": "night shift", "text": "new disk"}"#);
        assert!(done.contains("the note about ada is written down"), "{done}");
        let refused = shown.act("/api/v1/members/zoe/drain", r#"{"why": "a slip"}"#);
        assert!(refused.contains("refused"), "{refused}");
        for (stage, deed, why) in [
            ("Asked", "note", "night shift"),
            ("Done", "note", "night shift"),
            ("Asked", "drain", "a slip"),
            ("Refused", "drain", "a slip"),
        ] {
            let line = shown.says();
            for part in [stage, "an operator acts", "who=eve", &format!(r#""deed":"{deed}""#), why] {
                assert!(line.contains(part), "{part} is not in {line}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signal_ends_it_in_order_although_somebody_looks_on() {
    let bed = Testbed::new();
    let _ada = bed.members(&["ada"]).await;
    let mut shown = Shown::start(&bed, &[]);
    let mut stream = TcpStream::connect(&shown.place).unwrap();
    write!(stream, "GET /api/v1/stream HTTP/1.0\r\nhost: localhost\r\n\r\n").unwrap();
    BufReader::new(&stream).read_line(&mut String::new()).unwrap();
    kill_process(Pid::from_child(&shown.child), Signal::TERM).unwrap();
    let mut rest = String::new();
    stream.read_to_string(&mut rest).unwrap();
    assert!(shown.child.wait().unwrap().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn elsewhere_than_on_loopback_it_listens_only_with_tokens_and_tls() {
    let bed = Testbed::new();
    let _ada = bed.members(&["ada"]).await;
    bed.write_secret("tokens", "eve 0123456789abcdef\n");
    bed.write_secret("bad-tokens", "eve short\n");
    bed.write("open-tokens", "eve 0123456789abcdef\n");
    let told = bed.tenure(&["dashboard", "--listen", "0.0.0.0:0"]).await.failed(2);
    assert!(told.contains("--token-file") && told.contains("--tls-cert"), "{told}");
    let told = bed.tenure(&["dashboard", "--listen", "0.0.0.0:0", "--token-file", "tokens"]).await.failed(2);
    assert!(told.contains("--tls-cert"), "{told}");
    let told = bed.tenure(&["dashboard", "--token-file", "bad-tokens"]).await.failed(2);
    assert!(told.contains("line 1") && !told.contains("short"), "{told}");
    let told = bed.tenure(&["dashboard", "--token-file", "open-tokens"]).await.failed(2);
    assert!(told.contains("open-tokens is open to others (mode 644); run `chmod 600` on it"), "{told}");
    let told = bed.tenure(&["dashboard", "--tls-cert", "none.pem", "--tls-key", "none.pem"]).await.failed(2);
    assert!(told.contains("none.pem"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_port_that_is_taken_is_refused_before_anything_is_written() {
    let bed = Testbed::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let place = taken.local_addr().unwrap().to_string();
    let told = bed.tenure(&["dashboard", "--listen", &place, "--audit-log", "audit.jsonl"]).await.failed(2);
    assert!(told.contains(&format!("can't listen on {place}; choose another --listen")), "{told}");
    assert!(!bed.path("audit.jsonl").exists());
}
