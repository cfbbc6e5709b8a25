//! Other processes: this very program, started again with a role.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use bytes::Bytes;
use tenure::clock::Clock;
use tenure::store::{Read as Found, Store, StoreErrorKind, When, Written};
use tenure_core::ids::Process;
use tenure_stores::sqlite::SqliteStore;

const ROLE: &str = "TENURE_TEST_CHILD_ROLE";
const FILE: &str = "TENURE_TEST_CHILD_FILE";
const READY: &str = "the child is ready";
const DONE: &str = "the child is done";

/// How often each counting child counts.
pub(crate) const COUNTS: u64 = 25;

/// Another process that shares the file. Killed when it is dropped.
pub(crate) struct Other {
    child: Child,
    said: BufReader<ChildStdout>,
}

impl Other {
    /// Starts a process in its role, and waits until it is ready.
    pub(crate) fn start(role: &str, file: &Path) -> Self {
        Self::start_by(Command::new(std::env::current_exe().unwrap()), role, file)
    }

    /// Starts a process in its role by this command.
    fn start_by(mut command: Command, role: &str, file: &Path) -> Self {
        let mut child = command
            .args(["--exact", "child::a_child_does_as_its_role_says", "--nocapture", "--test-threads=1"])
            .env(ROLE, role)
            .env(FILE, file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let said = BufReader::new(child.stdout.take().unwrap());
        let mut other = Self { child, said };
        other.wait_for(READY);
        other
    }

    /// Starts a process of another user. It may not see where this program is, but may run what this process runs.
    pub(crate) fn start_as(user: u32, role: &str, file: &Path) -> Self {
        let mut command = Command::new("/proc/self/exe");
        command.uid(user).gid(user).current_dir("/");
        Self::start_by(command, role, file)
    }

    /// Tells it to go on.
    pub(crate) fn go_on(&mut self) {
        self.child.stdin.as_mut().unwrap().write_all(b"go\n").unwrap();
    }

    /// The next thing that it says.
    pub(crate) fn says(&mut self) -> String {
        (&mut self.said).lines().map(Result::unwrap).find(|line| !line.is_empty()).unwrap()
    }

    /// Waits until it has done what its role says.
    pub(crate) fn finish(&mut self) {
        self.wait_for(DONE);
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
    }

    pub(crate) fn stop(&self) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::STOP).unwrap();
    }

    fn wait_for(&mut self, word: &str) {
        let mut line = String::new();
        while !line.contains(word) {
            line.clear();
            assert_ne!(self.said.read_line(&mut line).unwrap(), 0, "the child ended before {word:?}");
        }
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The process that a child registers as.
pub(crate) const CHILD: Process = Process(0xc411d);

#[test]
fn a_child_does_as_its_role_says() {
    let (Ok(role), Ok(file)) = (std::env::var(ROLE), std::env::var(FILE)) else {
        return;
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(play(&role, Path::new(&file)));
}

async fn play(role: &str, file: &Path) {
    if role == "opener" {
        say(READY);
        wait_for_go();
    }
    if role == "refused" {
        say(READY);
        return say(&SqliteStore::open(file).await.unwrap_err().to_string());
    }
    let store = SqliteStore::open(file).await.unwrap();
    match role {
        "holder" => hold(&store).await,
        "writer" => write(&store).await,
        "opener" | "counter" => count(&store).await,
        _ => panic!("{role} is no role"),
    }
}

async fn hold(store: &SqliteStore) {
    let _held = store.witness().unwrap().register(CHILD).await.unwrap();
    say(READY);
    // Until the parent kills it, or ends.
    let mut rest = Vec::new();
    std::io::stdin().read_to_end(&mut rest).unwrap();
}

async fn write(store: &SqliteStore) {
    say(READY);
    wait_for_go();
    store.put("members/child", Bytes::from_static(b"hello"), When::Absent).await.unwrap();
    say(DONE);
    wait_for_go();
}

async fn count(store: &SqliteStore) {
    for _ in 0..COUNTS {
        while !count_once(store).await {
            Clock::boot().sleep(Duration::from_millis(2)).await;
        }
    }
    say(DONE);
}

/// One attempt to raise the number; false if it was lost or could not be made.
async fn count_once(store: &SqliteStore) -> bool {
    let Some((when, number)) = number_in(store).await else { return false };
    match store.put("number", Bytes::from((number + 1).to_string()), when).await {
        Ok(Written::Stored(_)) => true,
        Ok(Written::Conflict) => false,
        Err(error) if error.kind == StoreErrorKind::Unavailable => false,
        Err(error) => panic!("{error}"),
    }
}

async fn number_in(store: &SqliteStore) -> Option<(When, u64)> {
    match store.get("number", None).await {
        Ok(Found::Found(record)) => {
            let number = std::str::from_utf8(&record.value).unwrap().parse().unwrap();
            Some((When::Is(record.version), number))
        }
        Ok(Found::Absent) => Some((When::Absent, 0)),
        Ok(Found::Unchanged) => panic!("no version was named"),
        Err(error) if error.kind == StoreErrorKind::Unavailable => None,
        Err(error) => panic!("{error}"),
    }
}

/// The number that counters have raised.
pub(crate) async fn number(store: &SqliteStore) -> u64 {
    number_in(store).await.unwrap().1
}

fn say(word: &str) {
    println!("\n{word}");
    std::io::stdout().flush().unwrap();
}

fn wait_for_go() {
    std::io::stdin().read_line(&mut String::new()).unwrap();
}
