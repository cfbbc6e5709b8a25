//! The member processes: started, killed, frozen, thawed and told to leave.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::Beats;
use super::child::{AGAIN, Spec, VARIABLE};

/// One member process. Killed when it is dropped.
#[derive(Debug)]
pub struct Member {
    child: Child,
    /// What it was told.
    pub spec: Spec,
}

impl Member {
    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, signal).expect("our own child, not yet waited for");
    }

    /// Kills it, and waits until it is gone.
    pub fn kill(&mut self) {
        self.signal(Signal::KILL);
        self.child.wait().expect("our own child");
    }

    /// Whether it has ended, and how.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("our own child")
    }

    /// How its beats are called.
    pub fn process(&self) -> String {
        format!("{}-{}", self.spec.id, self.child.id())
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder for one fleet, in memory where the system offers that. A disk that is busy with something else stalls the store
/// and the work alike, and the watchdogs are right to abort then; that is not what is tested here.
///
/// # Panics
/// If there is no place for a folder.
pub fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    made.expect("a folder")
}

/// The address of a database in `folder`.
pub fn sqlite(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("tenure.db").display())
}

/// A fleet on one store, whose beats are in one folder.
#[derive(Debug)]
pub struct Fleet {
    folder: PathBuf,
    arguments: Vec<String>,
    shards: u32,
    ttl: Duration,
    beat: Duration,
    /// The members that run, or are frozen.
    pub members: Vec<Member>,
}

impl Fleet {
    /// A fleet without members. `arguments` make this binary, started again, call [`super::child::live`].
    pub fn new(folder: &Path, arguments: &[&str], shards: u32, ttl: Duration) -> Self {
        Self {
            folder: folder.into(),
            arguments: arguments.iter().map(ToString::to_string).collect(),
            shards,
            ttl,
            beat: Duration::from_millis(5),
            members: Vec::new(),
        }
    }

    /// A fleet of three that has settled, on 32 shards; each member by its number reaches the store at `address`.
    pub fn of_three(folder: &Path, ttl: Duration, address: impl Fn(usize) -> String) -> Self {
        let mut fleet = Self::new(folder, &AGAIN, 32, ttl);
        for (number, id) in ["a", "b", "c"].into_iter().enumerate() {
            fleet.start(id, &address(number));
        }
        fleet.settle(0, |counts| counts.iter().all(|count| *count >= 10));
        fleet
    }

    /// Starts a member that reaches the store at `address`.
    pub fn start(&mut self, id: &str, address: &str) {
        let (folder, address, id) = (self.folder.clone(), address.into(), id.into());
        let spec = Spec { folder, address, id, shards: self.shards, ttl: self.ttl, beat: self.beat };
        let member = self.spawn(spec);
        self.members.push(member);
    }

    /// Starts a member in the place of one that has ended.
    pub fn restart(&mut self, index: usize) {
        self.members[index] = self.spawn(self.members[index].spec.clone());
    }

    /// How long a lease lasts.
    pub fn ttl(&self) -> Duration {
        self.ttl
    }

    fn spawn(&self, spec: Spec) -> Member {
        let mut command = Command::new(std::env::current_exe().expect("a path to ourselves"));
        command
            .args(&self.arguments)
            .env(VARIABLE, spec.to_line())
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        Member { child: command.spawn().expect("we can start ourselves"), spec }
    }

    /// How many bytes of beats the process of a member has written.
    pub fn written(&self, index: usize) -> u64 {
        let path = self.folder.join(format!("{}.beats", self.members[index].process()));
        std::fs::metadata(path).map_or(0, |file| file.len())
    }

    /// All beats so far.
    pub fn beats(&self) -> Beats {
        Beats::read(&self.folder).expect("readable beats")
    }

    /// Waits until every shard beats in one of the running members after `nanos`; says how the shards are divided.
    ///
    /// # Panics
    /// If that does not happen within a minute.
    pub fn settle(&self, nanos: u64, wish: impl Fn(&[usize]) -> bool) -> Vec<usize> {
        for _ in 0..1200 {
            let counts = self.counts(nanos);
            if counts.iter().sum::<usize>() == self.shards as usize && wish(&counts) {
                return counts;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("after a minute the shards beat like this: {:?} of {}", self.counts(nanos), self.shards);
    }

    fn counts(&self, nanos: u64) -> Vec<usize> {
        let latest = self.beats().latest();
        let beating =
            |process: String| latest.values().filter(|(by, at)| *by == process && *at > nanos).count();
        self.members.iter().map(|member| beating(member.process())).collect()
    }
}
