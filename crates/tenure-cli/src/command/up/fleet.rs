//! The member processes: started, killed, frozen, thawed and told to leave. None outlives its fleet.
//!
//! They must be started by the thread that waits for the end of the show: when that one is gone, the system ends them.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tenure::MemberId;
use tenure_core::ids::ClusterName;

use super::member::{CUT, MEND};
use super::show::{Blow, End};

/// The name of the cluster, whose store lies in one temporary folder.
pub(super) const CLUSTER: &str = "up";

/// The address of the store in `folder`.
pub(super) fn store(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("tenure.db").display())
}

/// The cluster.
pub(super) fn cluster() -> ClusterName {
    CLUSTER.parse().expect("two letters are a name")
}

/// One member process.
#[derive(Debug)]
struct Process {
    id: MemberId,
    child: Child,
}

impl Process {
    fn tell(&mut self, word: &str) -> io::Result<()> {
        match &mut self.child.stdin {
            Some(ear) => ear.write_all(format!("{word}\n").as_bytes()),
            None => Ok(()),
        }
    }
}

/// What every member is told.
#[derive(Debug)]
pub(super) struct Orders {
    /// Where the cluster is.
    pub(super) folder: PathBuf,
    /// How many shards it has.
    pub(super) shards: u32,
    /// How long a lease lasts.
    pub(super) ttl: Duration,
}

/// All member processes that have not ended. Dropping it ends them.
#[derive(Debug)]
pub(super) struct Fleet {
    orders: Orders,
    processes: Vec<Process>,
}

impl Fleet {
    /// A fleet without members.
    pub(super) fn new(orders: Orders) -> Self {
        Self { orders, processes: Vec::new() }
    }

    /// Starts a member.
    pub(super) fn start(&mut self, id: &MemberId) -> io::Result<()> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("up-member").arg("--folder").arg(&self.orders.folder).args(["--id", id.as_str()]);
        command.args(["--shards", &self.orders.shards.to_string()]);
        command.arg("--ttl").arg(humantime::format_duration(self.orders.ttl).to_string());
        // In a group of its own, so that Ctrl-C reaches it through us alone.
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null());
        let talk = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(talk_of(&self.orders.folder, id))?;
        command.stderr(talk);
        self.processes.push(Process { id: id.clone(), child: command.spawn()? });
        Ok(())
    }

    /// Does to the member what was asked for. One that has ended feels nothing.
    pub(super) fn strike(&mut self, id: &MemberId, blow: Blow) -> io::Result<()> {
        let Some(process) = self.processes.iter_mut().find(|process| process.id == *id) else {
            return Ok(());
        };
        match deal(blow) {
            // Our own child, not yet waited for: its number is its own.
            Deal::Signal(signal) => Ok(kill_process(Pid::from_child(&process.child), signal)?),
            Deal::Word(word) => process.tell(word),
        }
    }

    /// Those that have ended since the last call, and how.
    pub(super) fn reap(&mut self) -> Vec<(MemberId, End)> {
        let mut ended = Vec::new();
        let folder = &self.orders.folder;
        self.processes.retain_mut(|process| {
            // A process that can't be asked stays ours: it is killed at the end at the latest.
            let Ok(Some(status)) = process.child.try_wait() else { return true };
            ended.push((process.id.clone(), end(folder, &process.id, status)));
            false
        });
        ended
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        for process in &mut self.processes {
            let _ = process.child.kill();
        }
        for process in &mut self.processes {
            let _ = process.child.wait();
        }
    }
}

/// How a blow is dealt.
enum Deal {
    /// By the system.
    Signal(Signal),
    /// By the process itself, when it is told so.
    Word(&'static str),
}

fn deal(blow: Blow) -> Deal {
    match blow {
        Blow::Kill => Deal::Signal(Signal::KILL),
        Blow::Freeze => Deal::Signal(Signal::STOP),
        Blow::Thaw => Deal::Signal(Signal::CONT),
        Blow::Stop => Deal::Signal(Signal::TERM),
        Blow::Cut => Deal::Word(CUT),
        Blow::Mend => Deal::Word(MEND),
    }
}

fn end(folder: &Path, id: &MemberId, status: ExitStatus) -> End {
    match status.signal() {
        None if status.success() => End::Left,
        Some(number) if number == Signal::KILL.as_raw() => End::Killed,
        _ => End::Failed(last_words(folder, id).unwrap_or_else(|| status.to_string())),
    }
}

/// Where a member talks to: the screen is not its own.
fn talk_of(folder: &Path, id: &MemberId) -> PathBuf {
    folder.join(format!("{id}.log"))
}

/// Its last error, with the causes.
fn last_words(folder: &Path, id: &MemberId) -> Option<String> {
    let talk = std::fs::read_to_string(talk_of(folder, id)).ok()?;
    let (_, error) = talk.rsplit_once("error: ")?;
    Some(error.lines().map(str::trim).collect::<Vec<_>>().join(", "))
}
