//! A child: writes a line every 10 ms, until it is ended.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use rustix::process::getppid;
use tenure::clock::Clock;

/// Names the folder for the lines, and makes this binary a child. Everything below a member has it in its environment.
pub(crate) const FOLDER: &str = "BEATS_FOLDER";

/// The command that members run.
pub(crate) fn command() -> [String; 4] {
    let ourselves = std::env::current_exe().unwrap().display().to_string();
    [ourselves, "--exact".into(), "beat::child_process".into(), "--nocapture".into()]
}

/// Not a test by itself: this binary, started again as a child.
#[test]
fn child_process() {
    if is_child() {
        live();
    }
}

/// Whether this process was started as a child.
pub(crate) fn is_child() -> bool {
    std::env::var_os(FOLDER).is_some() && std::env::var_os("TENURE_SHARD").is_some()
}

/// Lives as a child.
pub(crate) fn live() {
    let variable = |name| std::env::var(name).unwrap();
    beat(Path::new(&variable(FOLDER)), &variable("TENURE_SHARD"));
}

fn beat(folder: &Path, shard: &str) {
    let variable = |name| std::env::var(name).unwrap();
    let (member, epoch) = (variable("TENURE_MEMBER"), variable("TENURE_EPOCH"));
    // All children of one warden are one process to the proof; which child it was stands in the line.
    let warden = getppid().unwrap().as_raw_nonzero();
    let path = folder.join(format!("{member}-{warden}.beats"));
    let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
    let (clock, pid) = (Clock::boot(), std::process::id());
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
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "beats") {
            let text = std::fs::read_to_string(path).unwrap();
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
