//! The last step before a child is the command: it asks the kernel to end it with its warden.
//!
//! A process can only ask this for itself, and the warden may run no code of its own between fork and exec. So the warden
//! starts this program, which arranges everything and then becomes the command: same process, same number.
//!
//! Last of all it looks at the slate: the [reaper](super::reaper) takes the guard away before it looks for us, so
//! either it sees us or we see that it is gone.

use std::ffi::OsString;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use rustix::process::{
    Pid, Resource, Rlimit, Signal, getppid, getrlimit, set_parent_process_death_signal, setrlimit, setsid,
};
use tenure::clock::Clock;

use super::slate::Slate;
use crate::talk;

/// As shells say it: the command was not found.
const NOT_FOUND: u8 = 127;

/// As shells say it: the command was found and can't be run.
const NOT_RUNNABLE: u8 = 126;

/// The first argument that makes this program a child-to-be.
pub(super) const NAME: &str = "__child";

/// What a child-to-be is told on its command line, before the command itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChildArgs {
    /// The warden: if the parent is another, the warden has died.
    pub(super) warden: i32,
    /// The life of the member that it is to run in.
    pub(super) life: u64,
    /// How much earlier than the lease's end nothing begins any more.
    pub(super) allowance: Duration,
    /// The limit of descriptors that the member was started with.
    pub(super) descriptors: Option<u64>,
}

impl ChildArgs {
    /// As arguments.
    pub(super) fn to_argv(&self) -> [String; 5] {
        let descriptors = self.descriptors.map_or_else(|| "-".into(), |limit| limit.to_string());
        let (warden, life) = (self.warden.to_string(), self.life.to_string());
        [NAME.into(), warden, life, self.allowance.as_nanos().to_string(), descriptors]
    }

    fn read(arguments: &mut impl Iterator<Item = OsString>) -> Option<Self> {
        let mut next = || arguments.next()?.into_string().ok();
        let (warden, life) = (next()?.parse().ok()?, next()?.parse().ok()?);
        let allowance = Duration::from_nanos(next()?.parse().ok()?);
        Some(Self { warden, life, allowance, descriptors: next()?.parse().ok() })
    }
}

/// Becomes the command; returns only if that failed.
pub(super) fn become_command(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(args) = ChildArgs::read(&mut arguments) else { return usage() };
    let Some(program) = arguments.next() else { return usage() };
    if let Err(error) = prepare(&args) {
        talk::error(&format!("a child can't be prepared: {error}"));
        return NOT_RUNNABLE.into();
    }
    let error = Command::new(&program).args(arguments).stdin(Stdio::null()).exec();
    talk::error(&format!("can't run {}: {error}", program.to_string_lossy()));
    let missing = error.kind() == io::ErrorKind::NotFound;
    if missing { NOT_FOUND } else { NOT_RUNNABLE }.into()
}

fn prepare(args: &ChildArgs) -> io::Result<()> {
    setsid()?;
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // A warden that died before the kernel was asked sends no signal any more.
    if getppid().map(Pid::as_raw_pid) != Some(args.warden) {
        return Err(io::Error::other("its warden is gone"));
    }
    if let Some(current) = args.descriptors {
        let maximum = getrlimit(Resource::Nofile).maximum;
        setrlimit(Resource::Nofile, Rlimit { current: Some(current), maximum })?;
    }
    if may_begin(args)? { Ok(()) } else { Err(io::Error::other("its lease has ended")) }
}

/// Whether the slate, which is our standard input, allows it.
fn may_begin(args: &ChildArgs) -> io::Result<bool> {
    let slate = Slate::given(io::stdin().as_fd().try_clone_to_owned()?);
    let (term, now) = (slate.term(), Clock::boot().now());
    Ok(term.life == args.life && now < term.until - args.allowance && slate.is_guarded())
}

fn usage() -> ExitCode {
    talk::error("this is for the warden alone; use tenure run");
    NOT_RUNNABLE.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_as_they_were_written() {
        for descriptors in [None, Some(1024)] {
            let args = ChildArgs { warden: 42, life: 3, allowance: Duration::from_millis(9), descriptors };
            let mut arguments = args.to_argv().into_iter().skip(1).map(OsString::from);
            assert_eq!(ChildArgs::read(&mut arguments), Some(args));
        }
    }
}
