//! The children themselves: started, signalled, waited for, and cleared away to the last process.
//!
//! A child leads a session of its own, so one signal reaches its group. Its number can't be given to anybody else before it
//! was waited for; so its group is signalled before that, and never after its last process is gone.
//!
//! There may be ten thousand of them: what is asked for each end or each stray is found by its number, not searched for.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

use nix::sys::wait::{Id, WaitPidFlag, waitid as look_for};
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, getpid, kill_process, kill_process_group, test_kill_process_group,
    waitpid,
};
use tenure_core::warden::{Ending, JobId, Work};

use super::child::ChildArgs;
use super::job_index::JobIndex;
use super::stray::{EPOCH, SHARD, Whose};
use super::tree;

/// This very program, even if its file was replaced meanwhile.
pub(super) const OURSELVES: &str = "/proc/self/exe";

/// All children of a warden.
#[derive(Debug)]
pub(super) struct Children {
    command: Vec<OsString>,
    args: ChildArgs,
    running: JobIndex,
    /// Jobs whose leader has ended; what is left of them is being ended.
    clearing: JobIndex,
}

impl Children {
    /// Runs `command`, in processes that get the limit of `descriptors`, until `allowance` before the lease's end.
    pub(super) fn new(command: Vec<OsString>, descriptors: Option<u64>, allowance: Duration) -> Self {
        let args = ChildArgs { warden: getpid().as_raw_pid(), life: 0, allowance, descriptors };
        Self { command, args, running: JobIndex::default(), clearing: JobIndex::default() }
    }

    /// Starts a job of this life, which looks at the slate itself before it becomes the command.
    pub(super) fn start(
        &mut self,
        job: JobId,
        life: u64,
        work: Work,
        slate: OwnedFd,
        output: Vec<OwnedFd>,
    ) -> io::Result<()> {
        let args = ChildArgs { life, ..self.args.clone() };
        let mut command = Command::new(OURSELVES);
        command.arg0("tenure").args(args.to_argv()).args(&self.command).stdin(slate);
        command.env(SHARD, work.shard.to_string()).env(EPOCH, work.epoch.to_string());
        command.envs(work.traceparent.iter().map(|span| ("TRACEPARENT", span)));
        let mut output = output.into_iter();
        if let (Some(out), Some(err)) = (output.next(), output.next()) {
            command.stdout(out).stderr(err);
        }
        // The handle is not needed: the leader is waited for by its number.
        let leader = Pid::from_child(&command.spawn()?);
        self.running.insert(job, leader, &work);
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
        let Some(leader) = self.running.leader(job) else { return };
        // A child that was just born has no group of its own yet.
        if kill_process_group(leader, signal).is_err() {
            let _ = kill_process(leader, signal);
        }
    }

    /// The jobs whose leader has ended since this was asked last. The rest of their groups is ended with them; strays that
    /// have ended are waited for.
    pub(super) fn exits(&mut self) -> Vec<(JobId, Ending)> {
        let mut all = Vec::new();
        while let Some((dead, ending)) = self.reap_one() {
            all.extend(self.running.led_by(dead).map(|job| (job, ending)));
        }
        all
    }

    /// Waits for a child that has ended.
    fn reap_one(&self) -> Option<(Pid, Ending)> {
        let look = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        let found = match look_for(Id::All, look) {
            Ok(status) => Some(Pid::from_raw(status.pid()?.as_raw())?),
            // It was ended by a signal without a name.
            Err(nix::errno::Errno::EINVAL) => None,
            Err(_no_child) => return None,
        };
        if let Some(leader) = found.filter(|dead| self.running.led_by(*dead).is_some()) {
            // What is left of its group, while its number is still its own.
            let _ = kill_process_group(leader, Signal::KILL);
        }
        let (dead, status) = waitpid(found, WaitOptions::NOHANG).ok()??;
        Some((dead, ending(status)))
    }

    /// From now on what is left of the job is ended.
    pub(super) fn clear(&mut self, job: JobId) {
        self.running.hand_to(&mut self.clearing, job);
    }

    /// Whether jobs are being cleared.
    pub(super) fn is_clearing(&self) -> bool {
        !self.clearing.is_empty()
    }

    /// Ends strays that must end, and says which jobs are gone to the last process.
    pub(super) fn tidy(&mut self) -> Vec<JobId> {
        if self.clearing.is_empty() {
            return Vec::new();
        }
        let mut left = Left::default();
        for stray in self.strays() {
            self.judge(stray, &mut left);
        }
        let gone = |(job, leader): &(JobId, Pid)| !left.concerns(*job) && is_empty(*leader);
        let gone: Vec<JobId> = self.clearing.jobs().filter(gone).map(|(job, _)| job).collect();
        gone.iter().for_each(|job| self.clearing.remove(*job));
        gone
    }

    /// Our children that lead no job.
    fn strays(&self) -> Vec<Pid> {
        let mut all = tree::children().unwrap_or_default();
        all.retain(|child| self.running.led_by(*child).is_none());
        all
    }

    /// Ends a stray unless it belongs to a job that goes on.
    fn judge(&self, stray: Pid, left: &mut Left) {
        let whose = Whose::is(stray);
        if whose == Whose::Ended || self.running.owner_of(whose).is_some() {
            return;
        }
        // Our child, not waited for yet: the number is its own.
        let _ = kill_process(stray, Signal::KILL);
        match self.clearing.owner_of(whose) {
            Some(job) => drop(left.of.insert(job)),
            None => left.of_nobody = true,
        }
    }
}

/// What is left of jobs that are being cleared.
#[derive(Debug, Default)]
struct Left {
    of: BTreeSet<JobId>,
    /// There are strays that could be of any job.
    of_nobody: bool,
}

impl Left {
    /// Whether something keeps the job from being gone.
    fn concerns(&self, job: JobId) -> bool {
        self.of_nobody || self.of.contains(&job)
    }
}

fn ending(status: WaitStatus) -> Ending {
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
