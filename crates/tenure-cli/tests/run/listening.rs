//! `tenure run --listen` from outside: what it says of itself, and that it is ready only while it has a lease.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Stdio};
use std::time::Duration;

use rusqlite::Connection;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::fleet::Fleet;

const GUIDE: &str = include_str!("../../../../docs/guide/metrics.md");

/// A member that listens; it is killed when dropped.
pub(crate) struct Listening {
    child: Child,
    pub(crate) place: String,
    /// Kept open: a process that speaks into a closed pipe fails.
    _talk: BufReader<ChildStderr>,
}

impl Listening {
    pub(crate) fn start(fleet: &Fleet) -> Self {
        let mut run = fleet.tenure_run("ada");
        run.args(["--listen", "127.0.0.1:0", "--address", "ada.example:80", "--", "sleep", "1000"])
            .stderr(Stdio::piped());
        let mut child = run.spawn().unwrap();
        let mut talk = BufReader::new(child.stderr.take().unwrap());
        let mut told = String::new();
        talk.read_line(&mut told).unwrap();
        let place = told.trim().strip_prefix("listening on http://").expect(&told).to_owned();
        Self { child, place, _talk: talk }
    }

    /// Asks in HTTP/1.0, whose answer ends with the connection: the head, and the body.
    fn get(&self, path: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.place).unwrap();
        write!(stream, "GET {path} HTTP/1.0\r\nhost: {}\r\n\r\n", self.place).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }

    /// The data of all events, in order.
    fn listen(&self) -> impl Iterator<Item = Value> + use<> {
        let mut stream = TcpStream::connect(&self.place).unwrap();
        write!(stream, "GET /v1/events HTTP/1.0\r\nhost: {}\r\n\r\n", self.place).unwrap();
        let lines = BufReader::new(stream).lines().map_while(Result::ok);
        lines.filter_map(|line| line.strip_prefix("data: ").map(|data| serde_json::from_str(data).unwrap()))
    }

    /// Waits until `/readyz` answers so. A member that never gets there hangs the test, and is seen.
    pub(crate) fn until_ready_is(&self, status: &str, body: &str) {
        loop {
            let (head, said) = self.get("/readyz");
            if head.split(' ').nth(1) == Some(status) {
                assert_eq!(said, body);
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Its own account, as soon as it is as wanted.
    pub(crate) fn status_until(&self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let status = serde_json::from_str(&self.get("/v1/status").1).unwrap();
            if wanted(&status) {
                return status;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Asks it to leave; it ends well.
    pub(crate) fn leave(mut self) {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The figures of a member that the guide names, as the page of metrics names them: counters without their ending.
fn named_in_the_guide() -> BTreeSet<&'static str> {
    let rows = GUIDE.lines().filter_map(|line| line.strip_prefix("| `tenure_sharding_"));
    let names = rows.map(|row| row.split('`').next().unwrap());
    names.map(|name| name.strip_suffix("_total").unwrap_or(name)).collect()
}

#[test]
fn whoever_asks_a_member_is_told_that_it_lives_what_it_holds_and_all_figures_of_the_guide() {
    let fleet = Fleet::new(4);
    let ada = Listening::start(&fleet);
    assert_eq!(ada.get("/livez").1, "alive\n");
    ada.until_ready_is("200", "ready\n");
    let all_are_hers = |status: &Value| {
        let holdings = status["holdings"].as_array().unwrap();
        holdings.len() == 4 && holdings.iter().all(|one| one["owner"] == "ada")
    };
    let status = ada.status_until(all_are_hers);
    assert_eq!((&status["shards"], &status["me"]["id"]), (&4.into(), &"ada".into()));

    let (head, page) = ada.get("/metrics");
    assert!(head.to_lowercase().contains("content-type: application/openmetrics-text"), "{head}");
    let types = page.lines().filter_map(|line| line.strip_prefix("# TYPE tenure_sharding_"));
    let named: BTreeSet<&str> = types.map(|rest| rest.split(' ').next().unwrap()).collect();
    assert_eq!(named, named_in_the_guide());
    assert!(
        page.contains("\ntenure_sharding_tenures{cluster=\"default\"} 4")
            && page.contains("\ntenure_sharding_detached{cluster=\"default\"} 0")
    );
    assert!(ada.get("/nothing").0.contains(" 404 "));

    let answer: Value = serde_json::from_str(&ada.get("/v1/owner?key=order-17").1).unwrap();
    let shard = tenure_core::plan::shard_of(b"order-17", 4).0;
    assert_eq!((&answer["shard"], &answer["owner"]), (&shard.into(), &"ada".into()), "{answer}");
    assert_eq!((&answer["state"], &answer["address"]), (&"owned".into(), &"ada.example:80".into()));
    assert!(answer["seen_ago_ms"].is_u64(), "{answer}");
    assert!(ada.get("/v1/shards/4").0.contains(" 404 "));
    let mut events = ada.listen();
    assert_eq!(events.next().unwrap()["owners"][3]["owner"], "ada");
    ada.leave();
}

#[test]
fn a_member_is_ready_while_it_has_a_lease_and_only_then() {
    let fleet = Fleet::new(1);
    let ada = Listening::start(&fleet);
    ada.until_ready_is("200", "ready\n");
    let other = Connection::open(fleet.folder().join("tenure.db")).unwrap();
    // A writer shuts all others out: the lease can't be renewed, and runs out.
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    ada.until_ready_is("503", "detached: no lease\n");
    assert_eq!(ada.get("/livez").1, "alive\n", "it lives, and may yet get another");
    assert!(ada.get("/metrics").1.contains("\ntenure_sharding_detached{cluster=\"default\"} 1"));
    other.execute_batch("ROLLBACK").unwrap();
    ada.until_ready_is("200", "ready\n");
    ada.leave();
}
