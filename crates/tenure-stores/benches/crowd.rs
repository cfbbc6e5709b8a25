//! What members on one SQLite file cost while nothing moves, as real processes:
//! `cargo bench -p tenure-stores --bench crowd`, with `-- --quick` for a shorter look, or `-- --members 32` for one size alone.
//!
//! Every renewal is a commit that all the others hear of, so whatever hearing costs grows with the square of the members. The time is
//! what the kernel says that their threads ran.

#[path = "../tests/fleet/mod.rs"]
mod fleet;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fleet::processes::folder;
use tenure::{BoxError, ErrorKind, Member, Shard};

const FILE: &str = "TENURE_BENCH_CROWD_FILE";
const MEMBER: &str = "TENURE_BENCH_CROWD_MEMBER";
const SHARDS: u32 = 256;

/// How long a new fleet takes until nothing moves any more.
const SETTLING: Duration = Duration::from_secs(20);

fn main() {
    if let (Ok(file), Ok(id)) = (std::env::var(FILE), std::env::var(MEMBER)) {
        return live(&file, id);
    }
    let arguments: Vec<String> = std::env::args().collect();
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let span = Duration::from_secs(if quick { 10 } else { 30 });
    let chosen = arguments.iter().skip_while(|argument| *argument != "--members").nth(1);
    let sizes = match chosen.and_then(|members| members.parse().ok()) {
        Some(members) => vec![members],
        None if quick => vec![8],
        None => vec![8, 32, 100],
    };
    sizes.into_iter().for_each(|members| measure(members, span));
}

/// Lives as a member whose work does nothing, until it is killed.
fn live(file: &str, id: String) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let lived: Result<(), BoxError> = runtime.block_on(async {
        let member = started(file, &id).await?;
        println!("ready");
        Ok(member.run(wait).await?)
    });
    lived.expect("a member");
}

/// Starts; where a hundred join at once, the file may be too busy for one of them, as it may for anybody's.
async fn started(file: &str, id: &str) -> Result<Member, BoxError> {
    loop {
        let store = tenure_stores::sqlite::SqliteStore::open(file).await?;
        let builder = Member::builder(store).cluster("idle").shards(SHARDS).member_id(id);
        match builder.start().await {
            Err(error) if error.kind() == ErrorKind::Unavailable => eprintln!("{id} tries again: {error}"),
            started => return Ok(started?),
        }
    }
}

async fn wait(shard: Shard) -> Result<(), BoxError> {
    shard.drained().await;
    Ok(())
}

fn measure(members: usize, span: Duration) {
    let folder = folder();
    let file = folder.path().join("tenure.db");
    let fleet: Vec<Process> = (0..members).map(|number| Process::start(&file, number)).collect();
    std::thread::sleep(SETTLING);
    let before = ran(&fleet);
    std::thread::sleep(span);
    let cores = (ran(&fleet) - before).as_secs_f64() / span.as_secs_f64();
    println!(
        "{members:>4} members: {cores:.4} cores, {:.2} ms of each second each",
        cores * 1000.0 / members as f64
    );
}

fn ran(fleet: &[Process]) -> Duration {
    fleet.iter().map(Process::ran).sum()
}

/// A member process. Killed when it is dropped.
struct Process(Child);

impl Process {
    fn start(file: &Path, number: usize) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("a path to ourselves"));
        command.env(FILE, file).env(MEMBER, format!("m{number}")).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("we can start ourselves");
        let said = BufReader::new(child.stdout.take().expect("a pipe")).lines().next();
        assert!(said.is_some_and(|line| line.is_ok()), "m{number} did not start");
        Self(child)
    }

    /// How long its threads have run.
    fn ran(&self) -> Duration {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.0.id())).expect("it lives");
        threads.filter_map(|thread| nanos_of(&thread.ok()?.path())).map(Duration::from_nanos).sum()
    }
}

fn nanos_of(thread: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(thread.join("schedstat")).ok()?;
    text.split(' ').next()?.parse().ok()
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
