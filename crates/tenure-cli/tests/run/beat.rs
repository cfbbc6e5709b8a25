//! A child: writes a line every 10 ms, until it is ended. A deserter's worker does so far from its parents.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use nix::sys::ptrace;
use rustix::process::{PTracer, getpid, getppid, set_ptracer, setsid};
use tenure::clock::Clock;

/// Names the folder for the lines, and makes this binary a child. Everything below a member has it in its environment.
pub(crate) const FOLDER: &str = "BEATS_FOLDER";

/// Names the file for the lines, and makes this binary a deserter's worker.
const WORKER: &str = "BEATS_WORKER";

/// The command that members run.
pub(crate) fn command() -> [String; 4] {
    this_binary("beat::child_process")
}

/// A command whose worker leaves: it is a grandchild in a session of its own, with all descriptors closed. Half of them
/// lose their parent too.
pub(crate) fn deserting() -> [String; 4] {
    this_binary("beat::deserting_process")
}

/// A command that ignores SIGTERM; that of shard 0 takes its time to die, too.
pub(crate) fn clinging() -> [String; 8] {
    let [program, rest @ ..] = this_binary("beat::clinging_process");
    let [first, second, third] = rest;
    ["sh".into(), "-c".into(), "trap '' TERM; exec \"$@\"".into(), "sh".into(), program, first, second, third]
}

fn this_binary(test: &str) -> [String; 4] {
    let ourselves = std::env::current_exe().unwrap().display().to_string();
    [ourselves, "--exact".into(), test.into(), "--nocapture".into()]
}

/// Not a test by itself: this binary, started again as a child.
#[test]
fn child_process() {
    if is_child() {
        live();
    }
}

/// Not a test by itself: this binary, started again as a child whose worker leaves it.
#[test]
fn deserting_process() {
    match std::env::var(WORKER) {
        Ok(file) if is_child() => desert(Path::new(&file)),
        Err(_) if is_child() => start_worker(),
        Ok(_) | Err(_) => {}
    }
}

/// Not a test by itself: this binary, started again as a child to which somebody clings.
#[test]
fn clinging_process() {
    match std::env::var(WORKER) {
        Ok(pid) if is_child() => cling(pid.parse().unwrap()),
        Err(_) if is_child() => {
            let _clinger = (variable("TENURE_SHARD") == "0").then(start_clinger);
            live();
        }
        Ok(_) | Err(_) => {}
    }
}

fn start_clinger() -> Child {
    // Systems that restrict who may trace whom ask for it; others know nothing of it.
    let _ = set_ptracer(PTracer::Any);
    let [program, rest @ ..] = this_binary("beat::clinging_process");
    let mut clinger = Command::new(program);
    clinger.args(rest).env(WORKER, std::process::id().to_string()).stdout(Stdio::piped());
    let mut clinger = clinger.spawn().unwrap();
    // Its own test has said its name before.
    let told = BufReader::new(clinger.stdout.as_mut().unwrap());
    assert!(told.bytes().any(|byte| byte.unwrap() == HOLDS));
    clinger
}

/// Says that the clinger holds on.
const HOLDS: u8 = b'!';

/// Names the file in whose absence clingers hold on.
pub(crate) const LET_GO: &str = "let-go";

/// A traced process is dead to its parent only when its tracer lets go.
fn cling(to: i32) {
    setsid().unwrap();
    ptrace::seize(nix::unistd::Pid::from_raw(to), ptrace::Options::empty()).unwrap();
    std::io::stdout().write_all(&[HOLDS]).unwrap();
    std::io::stdout().flush().unwrap();
    let may_let_go = || Path::new(&variable(FOLDER)).join(LET_GO).exists();
    let is_dead = || fs::read_to_string(format!("/proc/{to}/stat")).unwrap().contains(") Z ");
    while !(is_dead() && may_let_go()) {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether this process was started as a child.
pub(crate) fn is_child() -> bool {
    std::env::var_os(FOLDER).is_some() && std::env::var_os("TENURE_SHARD").is_some()
}

/// Lives as a child.
pub(crate) fn live() {
    beat(Path::new(&file()));
}

/// Every second worker loses its parent, which leaves it to whoever adopts it.
fn start_worker() {
    let orphan = variable("TENURE_SHARD").parse::<u32>().unwrap() % 2 == 1;
    let mut worker = Command::new("sh");
    worker.args(["-c", if orphan { "\"$@\" &" } else { "exec \"$@\"" }, "sh"]).args(deserting());
    worker.env(WORKER, file()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    worker.status().unwrap();
    loop {
        std::thread::park();
    }
}

/// Leaves everything that ties it to those who started it, then beats.
fn desert(file: &Path) {
    setsid().unwrap();
    let entries = fs::read_dir("/proc/self/fd").unwrap().map(|entry| entry.unwrap().file_name());
    let open: Vec<i32> = entries.map(|name| name.to_str().unwrap().parse().unwrap()).collect();
    // The list itself was open while it was read.
    for descriptor in open {
        let _ = nix::unistd::close(descriptor);
    }
    beat(file);
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap()
}

/// Where the lines go: all children of one warden are one process to the proof; which child it was stands in the line.
fn file() -> String {
    let warden = getppid().unwrap().as_raw_nonzero();
    let stat = fs::read_to_string(format!("/proc/{warden}/stat")).unwrap();
    // The 22nd field: when it was started. In a namespace of its own every warden has the same number.
    let started = stat.rsplit_once(") ").unwrap().1.split(' ').nth(19).unwrap();
    let name = format!("{}-{warden}_{started}.beats", variable("TENURE_MEMBER"));
    Path::new(&variable(FOLDER)).join(name).display().to_string()
}

fn beat(path: &Path) {
    let (shard, epoch) = (variable("TENURE_SHARD"), variable("TENURE_EPOCH"));
    let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
    let (clock, pid) = (Clock::boot(), getpid().as_raw_nonzero());
    loop {
        let line = format!("{shard} {epoch} {} {pid}\n", clock.now().as_nanos());
        file.write_all(line.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Children that ran for one shard at one epoch at the same time, in words. Within one member an epoch may have several
/// children, one after the other.
pub(crate) fn twins(folder: &Path) -> Vec<String> {
    let mut spans: BTreeMap<(u64, u64), BTreeMap<u64, (u64, u64)>> = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "beats") {
            let text = fs::read_to_string(path).unwrap();
            for [shard, epoch, nanos, pid] in text.lines().filter_map(numbers) {
                let span = spans.entry((shard, epoch)).or_default().entry(pid).or_insert((nanos, nanos));
                *span = (span.0.min(nanos), span.1.max(nanos));
            }
        }
    }
    spans.iter().filter(|(_, children)| overlap(children)).map(|found| format!("{found:?}")).collect()
}

fn numbers(line: &str) -> Option<[u64; 4]> {
    let numbers: Vec<u64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().ok()
}

fn overlap(children: &BTreeMap<u64, (u64, u64)>) -> bool {
    let mut spans: Vec<_> = children.values().collect();
    spans.sort();
    spans.windows(2).any(|pair| pair[0].1 >= pair[1].0)
}
