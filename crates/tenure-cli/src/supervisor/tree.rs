//! The processes below this one.
//!
//! A sub-reaper adopts whatever its descendants leave behind: a process that loses its parent, however deep and in whatever session,
//! becomes its child. So "no child left" means that nothing lives that was ever started below.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::thread;
use std::time::Duration;

use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitIdOptions, getpid, getrlimit, kill_process, pidfd_open,
    pidfd_send_signal, set_child_subreaper, setrlimit, waitid,
};

/// The pause between two looks at what will not die at once.
const PAUSE: Duration = Duration::from_millis(1);

/// From now on this process adopts orphans from below.
pub(super) fn adopt_orphans() -> io::Result<()> {
    Ok(set_child_subreaper(Some(getpid()))?)
}

/// Allows as many descriptors as the system does: each child needs some. Returns the limit as it was, for children.
pub(crate) fn raise_descriptor_limit() -> Option<u64> {
    let limit = getrlimit(Resource::Nofile);
    // A system that refuses gives an error where descriptors are asked for.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
    limit.current
}

/// Every child of this process, adopted ones too.
pub(super) fn children() -> io::Result<Vec<Pid>> {
    match children_by_thread() {
        // Not every kernel has these lists.
        Err(error) if error.kind() == io::ErrorKind::NotFound => children_by_parent(getpid()),
        listed => listed,
    }
}

fn children_by_thread() -> io::Result<Vec<Pid>> {
    let mut all = Vec::new();
    for thread in fs::read_dir("/proc/self/task")? {
        let list = fs::read_to_string(thread?.path().join("children"))?;
        all.extend(list.split_ascii_whitespace().filter_map(pid));
    }
    Ok(all)
}

/// Whether any process has this parent; `true` if that can't be known.
pub(super) fn has_children(parent: Pid) -> bool {
    children_by_parent(parent).map_or(true, |all| !all.is_empty())
}

fn children_by_parent(parent: Pid) -> io::Result<Vec<Pid>> {
    Ok(families()?.remove(&parent).unwrap_or_default())
}

/// Every process, by its parent.
fn families() -> io::Result<HashMap<Pid, Vec<Pid>>> {
    let mut all: HashMap<Pid, Vec<Pid>> = HashMap::new();
    for entry in fs::read_dir("/proc")? {
        let Some(pid) = entry?.file_name().to_str().and_then(pid) else { continue };
        if let Some(parent) = Status::of(pid).and_then(|status| status.parent) {
            all.entry(parent).or_default().push(pid);
        }
    }
    Ok(all)
}

/// Kills `root`, a child of this process, and everything below it: should `root` itself not die, nothing below it goes on. From
/// outside a namespace this reaches into it.
///
/// All are found before the first is killed: those whose parent has died are below somebody else.
pub(super) fn fell(root: Pid) {
    for process in tree_of(root) {
        let _ = pidfd_send_signal(&process, Signal::KILL);
    }
}

/// `root`, a child of this process, and everything below it.
fn tree_of(root: Pid) -> Vec<OwnedFd> {
    let families = families().unwrap_or_default();
    let (mut all, mut parents) = (Vec::from_iter(child_of(getpid(), root)), vec![root]);
    while let Some(parent) = parents.pop() {
        for child in families.get(&parent).into_iter().flatten() {
            all.extend(child_of(parent, *child));
            parents.push(*child);
        }
    }
    all
}

/// Kills everything below this process.
pub(super) fn fell_all() {
    children().unwrap_or_default().into_iter().for_each(fell);
}

/// A descriptor of `child`, unless its number has become another's meanwhile.
fn child_of(parent: Pid, child: Pid) -> Option<OwnedFd> {
    let process = pidfd_open(child, PidfdFlags::empty()).ok()?;
    Status::of(child).is_some_and(|status| status.parent == Some(parent)).then_some(process)
}

/// What the kernel says about a process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Status {
    pub(super) parent: Option<Pid>,
    pub(super) session: Option<Pid>,
}

impl Status {
    /// `None` if there is no such process.
    pub(super) fn of(process: Pid) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero())).ok()?;
        // The name comes in parentheses and may hold any character, parentheses too.
        let (_, rest) = text.rsplit_once(") ")?;
        let mut fields = rest.split(' ').skip(1);
        let (parent, _group, session) = (fields.next()?, fields.next()?, fields.next()?);
        Some(Self { parent: pid(parent), session: pid(session) })
    }
}

fn pid(text: &str) -> Option<Pid> {
    text.parse().ok().and_then(Pid::from_raw)
}

/// Ends everything below this process, and waits until nothing is left. A process that the kernel can't end, or that we may
/// not end, is waited for: the caller must not go on while it lives.
pub(super) fn sweep() {
    while reap() {
        for child in children().unwrap_or_default() {
            // It may have ended meanwhile; as our child it keeps its number until we wait for it.
            let _ = kill_process(child, Signal::KILL);
        }
        thread::sleep(PAUSE);
    }
}

/// Waits for all children that have ended; says whether there are others.
fn reap() -> bool {
    loop {
        match waitid(rustix::process::WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOHANG) {
            Ok(Some(_)) | Err(rustix::io::Errno::INTR) => {}
            Ok(None) => return true,
            Err(_no_child) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_found_with_its_parent_by_both_lists() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let pid = Pid::from_child(&child);
        assert!(children_by_thread().unwrap().contains(&pid));
        assert!(children_by_parent(getpid()).unwrap().contains(&pid));
        assert_eq!(Status::of(pid).unwrap().parent, Some(getpid()));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(Status::of(pid).is_none());
    }

    #[test]
    fn what_runs_below_a_process_falls_with_it() {
        let shell = "setsid sleep 1000 & setsid sh -c 'sleep 1000 & wait' & echo; wait";
        let mut root = std::process::Command::new("sh");
        let mut root = root.args(["-c", shell]).stdout(std::process::Stdio::piped()).spawn().unwrap();
        let pid = Pid::from_child(&root);
        while below(pid).len() < 3 {
            thread::sleep(PAUSE);
        }
        let all = below(pid);
        fell(pid);
        root.wait().unwrap();
        while all.iter().any(|pid| is_running(*pid)) {
            thread::sleep(PAUSE);
        }
    }

    fn below(root: Pid) -> Vec<Pid> {
        let families = families().unwrap();
        let mut all = vec![root];
        let mut next = 0;
        while let Some(parent) = all.get(next) {
            all.extend(families.get(parent).into_iter().flatten());
            next += 1;
        }
        all.split_off(1)
    }

    /// A dead one is listed until its parent waits for it.
    fn is_running(process: Pid) -> bool {
        let stat = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero()));
        stat.is_ok_and(|stat| !stat.contains(") Z "))
    }
}
