//! `tenure up` from outside: real processes, no terminal; and nothing that stays behind.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that meets what it does not expect fails")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

/// The person who runs the tests may have chosen not to hear of hangups, and that is inherited.
fn heard(program: &str) -> Command {
    let mut command = Command::new("env");
    command.arg("--default-signal=HUP").arg(program);
    command
}

/// A show whose temporary folder is made in `room`.
fn up(room: &TempDir, options: &[&str]) -> Command {
    let mut command = heard(env!("CARGO_BIN_EXE_tenure"));
    command.arg("up").args(options).env("TMPDIR", room.path()).stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

/// The processes that were told of this folder.
fn processes_of(room: &TempDir) -> Vec<String> {
    let folder = room.path().to_string_lossy().into_owned();
    let told = |entry: std::fs::DirEntry| std::fs::read(entry.path().join("cmdline")).ok();
    let lines = std::fs::read_dir("/proc").expect("Linux has it").flatten().filter_map(told);
    lines
        .map(|line| String::from_utf8_lossy(&line).into_owned())
        .filter(|line| line.contains(&folder))
        .collect()
}

fn entries_of(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).expect("our own folder").flatten().map(|entry| entry.file_name());
    names.map(|name| name.to_string_lossy().into_owned()).collect()
}

fn assert_nothing_stayed(room: &TempDir) {
    assert_eq!(processes_of(room), Vec::<String>::new());
    assert_eq!(entries_of(room.path()), Vec::<String>::new());
}

/// The folder of the show, the logs of its members and of their work.
fn assert_is_for_its_owner_alone(room: &TempDir) {
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let folder = room.path().join(&entries_of(room.path())[0]);
    assert_eq!(mode(&folder), 0o700);
    let written =
        entries_of(&folder).into_iter().filter(|name| name.ends_with(".log") || name.ends_with(".worklog"));
    written.for_each(|name| assert_eq!(mode(&folder.join(&name)), 0o600, "{name}"));
}

/// Reads lines until one contains `words`.
fn read_until(lines: &mut impl BufRead, words: &str) {
    let mut told = String::new();
    while !told.lines().last().is_some_and(|line| line.contains(words)) {
        assert_ne!(
            lines.read_line(&mut told).expect("readable lines"),
            0,
            "it ended without {words:?}:\n{told}"
        );
    }
}

fn signal(show: &Child, signal: Signal) {
    kill_process(Pid::from_child(show), signal).expect("our own child, not yet waited for");
}

#[test]
fn a_show_without_a_terminal_tells_events_and_ends_with_measured_figures() {
    let room = tempfile::tempdir().unwrap();
    let ended = up(&room, &["--for", "6s", "--ttl", "1s", "--shards", "16"]).output().unwrap();
    let told = String::from_utf8(ended.stdout).unwrap();
    assert!(ended.status.success(), "{}\n{told}", ended.status);
    for words in [
        "ada has joined",
        "killed (SIGKILL)",
        "dan started",
        "\nfailovers after proof of death: ",
        "\nfailovers after silence: ",
        "\noverlaps: 0 ",
    ] {
        assert!(told.contains(words), "{words:?} is missing:\n{told}");
    }
    let tenures = told.rsplit_once("(of ").and_then(|(_, rest)| rest.split(' ').next()?.parse::<u32>().ok());
    assert!(tenures.is_some_and(|count| count >= 16), "every shard was worked on:\n{told}");
    assert_nothing_stayed(&room);
}

#[test]
fn a_signal_ends_the_show_in_order_and_nothing_stays_behind() {
    for how in [Signal::TERM, Signal::INT, Signal::HUP] {
        let room = tempfile::tempdir().unwrap();
        let mut show = up(&room, &["--ttl", "1s", "--shards", "16"]).spawn().unwrap();
        let mut lines = BufReader::new(show.stdout.take().unwrap());
        read_until(&mut lines, "takes");
        assert_eq!(processes_of(&room).len(), 3);
        assert_is_for_its_owner_alone(&room);
        signal(&show, how);
        let mut rest = String::new();
        lines.read_to_string(&mut rest).unwrap();
        assert!(show.wait().unwrap().success() && rest.contains("overlaps: 0 "), "{how:?}:\n{rest}");
        assert_nothing_stayed(&room);
    }
}

#[test]
fn a_port_that_is_taken_is_refused_before_anything_is_begun() {
    let room = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = taken.local_addr().unwrap().to_string();
    let ended = up(&room, &["--listen", &place]).env("TMPDIR", "/nowhere/at/all").output().unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(2), "{told}");
    assert!(told.contains(&format!("can't listen on {place}; choose another --listen")), "{told}");
}

#[test]
fn members_end_with_a_show_that_was_killed() {
    let room = tempfile::tempdir().unwrap();
    let mut show = up(&room, &["--ttl", "1s", "--shards", "16"]).spawn().unwrap();
    read_until(&mut BufReader::new(show.stdout.take().unwrap()), "takes");
    signal(&show, Signal::KILL);
    show.wait().unwrap();
    // The system ends them, in its own time.
    while !processes_of(&room).is_empty() {
        std::thread::yield_now();
    }
}

#[test]
fn a_count_of_nothing_is_refused_before_anything_starts() {
    let room = tempfile::tempdir().unwrap();
    for options in [["--members", "0"], ["--shards", "0"], ["--ttl", "soon"], ["--ttl", "1ms"]] {
        let ended = up(&room, &options).output().unwrap();
        assert_eq!(ended.status.code(), Some(2), "{options:?}");
    }
    assert_nothing_stayed(&room);
}

/// Asks the page of a show for something, as its address says; the body of the answer.
fn ask(address: &str, method: &str, path: &str, body: &str) -> String {
    let (place, token) = address.split_once("/#token=").expect("an address with a token");
    let mut stream = TcpStream::connect(place).unwrap();
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.0\r\nhost: {place}\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split_once("\r\n\r\n").unwrap().1.to_owned()
}

/// The picture of a show, as soon as `wanted` finds in it what it looks for.
fn picture_until(address: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    loop {
        let picture: Value = serde_json::from_str(&ask(address, "GET", "/api/v1/picture", "")).unwrap();
        if wanted(&picture) {
            return picture;
        }
    }
}

fn member(picture: &Value, id: &str) -> Value {
    let members = picture["members"].as_array().cloned().unwrap_or_default();
    members.into_iter().find(|member| member["id"] == id).unwrap_or_default()
}

#[test]
fn visitors_of_the_page_can_break_a_show_and_mend_it() {
    let room = tempfile::tempdir().unwrap();
    let options = ["--ttl", "1s", "--shards", "16", "--listen", "127.0.0.1:0"];
    let mut show = up(&room, &options).stderr(Stdio::piped()).spawn().unwrap();
    let mut told = String::new();
    BufReader::new(show.stderr.as_mut().unwrap()).read_line(&mut told).unwrap();
    let address = told.trim().strip_prefix("watch it at http://").expect("it tells where it is").to_owned();
    let owned = |picture: &Value| {
        picture["shards"]["owner"]
            .as_array()
            .is_some_and(|owners| owners.len() == 16 && owners.iter().all(|owner| owner.as_i64() >= Some(0)))
    };
    let shards = |picture: &Value, id: &str| member(picture, id)["shards"].as_u64().unwrap_or(0);
    picture_until(&address, |picture| {
        owned(picture) && ["ada", "ben", "cleo"].iter().all(|id| shards(picture, id) > 0)
    });
    let play = |id: &str, deed: &str| {
        ask(&address, "POST", &format!("/api/v1/playground/members/{id}/{deed}"), "{}")
    };
    assert!(play("ada", "kill").contains("ada is killed"));
    picture_until(&address, |picture| member(picture, "ada")["state"] == "gone" && owned(picture));
    assert!(play("ada", "thaw").contains("ada has ended"));
    assert!(play("ben", "cut").contains("ben is cut off"));
    let cut =
        picture_until(&address, |picture| member(picture, "ben")["state"] == "deposed" && owned(picture));
    assert_eq!((&member(&cut, "ben")["process"], shards(&cut, "cleo")), (&"cut".into(), 16));
    assert!(play("ben", "mend").contains("ben reaches the store again"));
    assert!(play("cleo", "freeze").contains("cleo is frozen"));
    picture_until(&address, |picture| shards(picture, "ben") == 16);
    assert!(play("cleo", "thaw").contains("cleo goes on"));
    assert!(play("ada", "start").contains("ada is started again"));
    assert!(ask(&address, "POST", "/api/v1/playground/members", "{}").contains("is started"));
    picture_until(&address, |picture| ["ada", "ben", "cleo"].iter().all(|id| shards(picture, id) > 0));
    signal(&show, Signal::TERM);
    let mut rest = String::new();
    show.stdout.take().unwrap().read_to_string(&mut rest).unwrap();
    assert!(show.wait().unwrap().success() && rest.contains("overlaps: 0 "), "{rest}");
    assert_nothing_stayed(&room);
}
