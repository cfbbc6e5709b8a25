//! A PID namespace for all that a member runs: when its first process dies, the kernel kills every other one in it.
//!
//! No signal of ours reaches a grandchild that left its session and closed everything, if none of us is left to send it;
//! nor, without privileges, a set-user-id program. The kernel reaches both. The first process is the warden. It sees its
//! children by numbers of its own, so it needs a `/proc` of its own too, in a mount namespace of its own.
//!
//! Root may make namespaces; others make a user namespace first, in which they are themselves and nobody else.

use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

use nix::errno::Errno;
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use rustix::process::{getgid, getuid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, configure_capability_in_ambient_set, set_capabilities,
};

use super::children::OURSELVES;
use super::kill_timer::KillTimer;

/// The first argument that makes this program try whether a namespace can be had.
pub(super) const PROBE: &str = "__probe";

/// The first argument that makes it the first process of one, for a moment.
pub(super) const PROBE_WITHIN: &str = "__probe-within";

/// From now on the children of this process live in a namespace of their own; the first is its first process.
pub(super) fn open() -> io::Result<()> {
    match unshare(CloneFlags::CLONE_NEWPID) {
        Err(Errno::EPERM) => open_as_ourselves()?,
        other => other?,
    }
    if !getuid().is_root() {
        lend_mounting()?;
    }
    Ok(())
}

fn open_as_ourselves() -> io::Result<()> {
    let (user, group) = (getuid().as_raw(), getgid().as_raw());
    unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWPID)?;
    // A process that maps a group without privileges must renounce changing groups first.
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

/// Who is not root loses all capabilities when it becomes another program, unless they are ambient.
fn lend_mounting() -> io::Result<()> {
    let sets = capabilities(None)?;
    set_capabilities(
        None,
        CapabilitySets { inheritable: sets.inheritable | CapabilitySet::SYS_ADMIN, ..sets },
    )?;
    Ok(configure_capability_in_ambient_set(CapabilitySet::SYS_ADMIN, true)?)
}

/// The first process gets a `/proc` that shows its namespace. Other mounts stay as they are, and whatever is mounted outside
/// still shows up.
pub(super) fn furnish() -> io::Result<()> {
    unshare(CloneFlags::CLONE_NEWNS)?;
    let none = None::<&str>;
    // What is mounted on it would otherwise show up outside.
    mount(none, "/proc", none, MsFlags::MS_PRIVATE, none)?;
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    mount(Some("proc"), "/proc", Some("proc"), flags, none)?;
    if !getuid().is_root() {
        return renounce_mounting();
    }
    Ok(())
}

/// Commands get nothing that we were not given.
fn renounce_mounting() -> io::Result<()> {
    configure_capability_in_ambient_set(CapabilitySet::SYS_ADMIN, false)?;
    let (sets, mounting) = (capabilities(None)?, CapabilitySet::SYS_ADMIN);
    let (effective, permitted) = (sets.effective - mounting, sets.permitted - mounting);
    let renounced = CapabilitySets { effective, permitted, inheritable: sets.inheritable - mounting };
    Ok(set_capabilities(None, renounced)?)
}

/// Tries all of it in processes that end at once.
///
/// # Errors
/// Why the system does not give it.
pub(super) fn try_out() -> Result<(), String> {
    let tried =
        Command::new(OURSELVES).arg0("tenure").arg(PROBE).output().map_err(|error| error.to_string())?;
    let told = String::from_utf8_lossy(&tried.stderr);
    if tried.status.success() { Ok(()) } else { Err(told.trim().to_owned()) }
}

/// What the probe does.
pub(super) fn probe() -> io::Result<()> {
    KillTimer::new()?;
    open().map_err(at("unshare"))?;
    let within = Command::new(OURSELVES).arg0("tenure").arg(PROBE_WITHIN).status().map_err(at("start"))?;
    if within.success() { Ok(()) } else { Err(io::Error::other("no /proc of its own")) }
}

fn at(what: &'static str) -> impl FnOnce(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("{what}: {error}"))
}
