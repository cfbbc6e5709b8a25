//! `tenure up` from outside: real processes, no terminal; and nothing that stays behind.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// A show whose temporary folder is made in `room`.
fn up(room: &TempDir, options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tenure"));
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
    for words in ["ada has joined", "killed (SIGKILL)", "dan started", "\nfailovers: ", "\noverlaps: 0 "] {
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
        signal(&show, how);
        let mut rest = String::new();
        lines.read_to_string(&mut rest).unwrap();
        assert!(show.wait().unwrap().success() && rest.contains("overlaps: 0 "), "{how:?}:\n{rest}");
        assert_nothing_stayed(&room);
    }
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
