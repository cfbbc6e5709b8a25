//! The children themselves: started, signalled, waited for, and cleared away to the last process.
//!
//! A child leads a session of its own, so one signal reaches its group. Its number can't be given to anybody else before it
//! was waited for; so its group is signalled before that, and never after its last process is gone.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, WaitOptions, getpid, kill_process, kill_process_group,
    test_kill_process_group, waitid, waitpid,
};

use super::child::Calling;
use super::message::{Ending, JobId, Work};
use super::stray::{EPOCH, SHARD, Whose};
use super::tree;

/// This very program, even if its file was replaced meanwhile.
pub(super) const OURSELVES: &str = "/proc/self/exe";

/// The first process of a job.
#[derive(Debug)]
struct Leader {
    pid: Pid,
    work: Work,
}

/// All children of a warden.
#[derive(Debug)]
pub(super) struct Nursery {
    command: Vec<OsString>,
    calling: Calling,
    leaders: BTreeMap<JobId, Leader>,
    /// Jobs whose leader has ended; what is left of them is being ended.
    clearing: BTreeMap<JobId, Leader>,
}

impl Nursery {
    /// Runs `command`, in processes that get the limit of `descriptors`.
    pub(super) fn new(command: Vec<OsString>, descriptors: Option<u64>) -> Self {
        let calling = Calling { warden: getpid().as_raw_pid(), descriptors };
        Self { command, calling, leaders: BTreeMap::new(), clearing: BTreeMap::new() }
    }

    /// Starts a job.
    pub(super) fn start(&mut self, job: JobId, work: Work, output: Vec<OwnedFd>) -> io::Result<()> {
        let mut command = Command::new(OURSELVES);
        command.arg0("tenure").args(self.calling.arguments()).args(&self.command);
        command.env(SHARD, work.shard.to_string()).env(EPOCH, work.epoch.to_string()).stdin(Stdio::null());
        command.envs(work.traceparent.iter().map(|span| ("TRACEPARENT", span)));
        let mut output = output.into_iter();
        if let (Some(out), Some(err)) = (output.next(), output.next()) {
            command.stdout(out).stderr(err);
        }
        // The handle is not needed: the leader is waited for by its number.
        let pid = Pid::from_child(&command.spawn()?);
        self.leaders.insert(job, Leader { pid, work });
        Ok(())
    }

    /// Asks all of a job to end.
    pub(super) fn terminate(&self, job: JobId) {
        self.signal(job, Signal::TERM);
    }

    /// Ends all of a job that is still in its group; the others follow when it is cleared.
    pub(super) fn kill(&self, job: JobId) {
        self.signal(job, Signal::KILL);
    }

    fn signal(&self, job: JobId, signal: Signal) {
        let Some(leader) = self.leaders.get(&job) else { return };
        // A child that was just born has no group of its own yet.
        if kill_process_group(leader.pid, signal).is_err() {
            let _ = kill_process(leader.pid, signal);
        }
    }

    /// The jobs whose leader has ended since this was asked last. The rest of their groups is ended with them.
    pub(super) fn exits(&mut self) -> Vec<(JobId, Ending)> {
        let ended = self.leaders.iter().filter_map(|(job, leader)| Some((*job, exit_of(leader.pid)?)));
        ended.collect()
    }

    /// From now on what is left of the job is ended.
    pub(super) fn clear(&mut self, job: JobId) {
        if let Some(leader) = self.leaders.remove(&job) {
            self.clearing.insert(job, leader);
        }
    }

    /// Whether jobs are being cleared.
    pub(super) fn is_clearing(&self) -> bool {
        !self.clearing.is_empty()
    }

    /// Waits for strays that have ended, ends those that must, and says which jobs are gone to the last process.
    pub(super) fn tidy(&mut self) -> Vec<JobId> {
        let strays = self.strays();
        if self.clearing.is_empty() {
            return Vec::new();
        }
        let left: Vec<Whose> = strays.into_iter().filter_map(|stray| self.judge(stray)).collect();
        let gone = |(_, leader): &(&JobId, &Leader)| {
            !left.iter().any(|whose| self.concerns(*whose, leader)) && is_empty(leader.pid)
        };
        let gone: Vec<JobId> = self.clearing.iter().filter(gone).map(|(job, _)| *job).collect();
        self.clearing.retain(|job, _| !gone.contains(job));
        gone
    }

    /// Our children that lead no job and live.
    fn strays(&self) -> Vec<Pid> {
        let mut all = tree::children().unwrap_or_default();
        all.retain(|child| !self.leaders.values().any(|leader| leader.pid == *child));
        all.retain(|child| matches!(waitpid(Some(*child), WaitOptions::NOHANG), Ok(None)));
        all
    }

    /// Ends a stray unless it belongs to a job that goes on.
    fn judge(&self, stray: Pid) -> Option<Whose> {
        let whose = Whose::is(stray);
        let goes_on = self.leaders.values().any(|leader| whose.belongs_to(leader.pid, &leader.work));
        if goes_on {
            return None;
        }
        // Our child, not waited for yet: the number is its own.
        let _ = kill_process(stray, Signal::KILL);
        Some(whose)
    }

    /// Whether a stray keeps the job of `leader` from being gone: it is of that job, or nobody knows of which.
    fn concerns(&self, whose: Whose, leader: &Leader) -> bool {
        let of_another = self.clearing.values().any(|other| whose.belongs_to(other.pid, &other.work));
        whose.belongs_to(leader.pid, &leader.work) || !of_another
    }
}

/// How the leader ended, if it has. What is left of its group is ended first, while its number is still its own.
fn exit_of(leader: Pid) -> Option<Ending> {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
    waitid(WaitId::Pid(leader), look | WaitIdOptions::NOWAIT).ok()??;
    let _ = kill_process_group(leader, Signal::KILL);
    waitid(WaitId::Pid(leader), look).ok()?.map(|status| ending(&status))
}

fn ending(status: &WaitIdStatus) -> Ending {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Ending::Exited(code),
        (None, Some(signal)) => Ending::Signalled(signal),
        (None, None) => Ending::Signalled(0),
    }
}

/// Whether no process is left in the group.
fn is_empty(group: Pid) -> bool {
    test_kill_process_group(group) == Err(Errno::SRCH)
}
