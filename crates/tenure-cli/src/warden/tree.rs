//! The processes below this one.
//!
//! A sub-reaper adopts whatever its descendants leave behind: whoever loses its parent, however deep and in whatever session,
//! becomes its child. So "no child left" means that nothing lives that was ever started below.

use std::fs;
use std::io;
use std::thread;
use std::time::Duration;

use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitIdOptions, getpid, getrlimit, kill_process, set_child_subreaper,
    setrlimit, waitid,
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
    let mut all = Vec::new();
    for entry in fs::read_dir("/proc")? {
        let Some(pid) = entry?.file_name().to_str().and_then(pid) else { continue };
        if Status::of(pid).is_some_and(|status| status.parent == Some(parent)) {
            all.push(pid);
        }
    }
    Ok(all)
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
/// not end, is waited for: whoever asks must not go on while it lives.
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
}
