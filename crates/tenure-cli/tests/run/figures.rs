//! `tenure run --metrics-listen`: what Prometheus and probes ask for, and nothing else.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};

use crate::fleet::Fleet;

/// Asks in HTTP/1.0, whose answer ends with the connection: the status, and the body.
fn get(place: &str, path: &str, host: &str) -> (String, String) {
    let mut stream = TcpStream::connect(place).unwrap();
    write!(stream, "GET {path} HTTP/1.0\r\nhost: {host}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().to_owned(), body.to_owned())
}

#[test]
fn figures_and_probes_are_answered_there_and_nothing_else_is() {
    let fleet = Fleet::new(1);
    let mut run = fleet.tenure_run("ada");
    run.args(["--metrics-listen", "127.0.0.1:0", "--", "sleep", "1000"]).stderr(Stdio::piped());
    let mut child = run.spawn().unwrap();
    let mut talk = BufReader::new(child.stderr.take().unwrap());
    let mut told = String::new();
    talk.read_line(&mut told).unwrap();
    let place = told.trim().strip_prefix("metrics at http://").and_then(|rest| rest.strip_suffix("/metrics"));
    let place = place.expect(&told).to_owned();
    while get(&place, "/readyz", &place).0 != "200" {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(get(&place, "/livez", &place).0, "200");
    let (status, page) = get(&place, "/metrics", &place);
    assert!(
        status == "200" && page.contains("\ntenure_sharding_detached{cluster=\"default\"} 0.0\n"),
        "{page}"
    );
    for path in ["/v1/status", "/", "/api/v1/picture"] {
        assert_ne!(get(&place, path, &place).0, "200", "{path}");
    }
    assert_ne!(get(&place, "/metrics", "evil.example").0, "200", "a page of another name may not read it");
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_port_that_is_taken_is_refused_by_the_name_of_its_option_and_founds_nothing() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let fleet = Fleet::new(1);
    let output = fleet.tenure_run("ada").args(["--metrics-listen", &address, "--", "true"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("choose another --metrics-listen"), "{told}");
    assert!(!fleet.folder().join("tenure.db").exists());
}

#[test]
fn a_lease_of_no_length_is_refused_by_the_name_of_its_option() {
    let fleet = Fleet::new(1);
    for (words, told) in [
        (["--ttl", "0s"], "invalid value '0s' for '--ttl <TIME>': use 500ms to 6h"),
        (["--drain", "25h"], "invalid value '25h' for '--drain <TIME>': use 0s to 1day"),
    ] {
        let output = fleet.tenure_run("ada").args(words).args(["--", "true"]).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains(told), "{said}");
    }
    assert!(!fleet.folder().join("tenure.db").exists());
}
