//! Where this program begins when it was started as a warden or as a child-to-be.

use std::env::args_os;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rustix::process::setsid;
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, low_level};
use tenure::MemberId;

use super::child;
use super::machine::Machine;
use super::nursery::Nursery;
use super::records::Records;
use super::serve::Service;
use super::tree;
use super::wire::Wire;
use crate::talk;

/// The first argument that makes this program a warden.
pub(super) const NAME: &str = "__warden";

/// What the process ends with, if it was started as a warden or a child-to-be; `None` for all that people start.
pub(crate) fn called() -> Option<ExitCode> {
    let mut arguments = args_os().skip(1);
    let name = arguments.next()?;
    if name == OsStr::new(child::NAME) {
        return Some(child::become_command(arguments));
    }
    (name == OsStr::new(NAME)).then(|| end_of(watch(arguments)))
}

fn end_of(watched: io::Result<()>) -> ExitCode {
    // Whatever happened: nothing outlives the warden.
    tree::sweep();
    match watched {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            talk::error(&format!("the warden failed: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn watch(arguments: impl Iterator<Item = OsString>) -> io::Result<()> {
    let order = Calling::read(arguments)
        .ok_or_else(|| io::Error::other("this is for members alone; use tenure run"))?;
    // A terminal's signals are for the member, which decides; and so is what a service manager sends to all.
    setsid()?;
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        flag::register(signal, Arc::new(AtomicBool::new(false)))?;
    }
    let (deaths, told) = UnixStream::pair()?;
    deaths.set_nonblocking(true)?;
    low_level::pipe::register(SIGCHLD, told)?;
    tree::adopt_orphans()?;
    tree::raise_descriptor_limit();
    let wire = Wire::given(io::stdin().as_fd().try_clone_to_owned()?);
    let machine = Machine::new(order.allowance);
    let records = Records::open(order.member, order.history.as_deref())?;
    Service::new(machine, Nursery::new(order.command, order.descriptors), records, wire, deaths)?.run()
}

/// What a warden is told on its command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Calling {
    pub(super) member: MemberId,
    pub(super) allowance: Duration,
    /// The limit of descriptors for children.
    pub(super) descriptors: Option<u64>,
    pub(super) history: Option<PathBuf>,
    pub(super) command: Vec<OsString>,
}

impl Calling {
    /// As arguments.
    pub(super) fn arguments(&self) -> Vec<OsString> {
        let history = self.history.as_deref().map_or_else(|| OsStr::new(""), Path::as_os_str);
        let allowance = self.allowance.as_nanos().to_string();
        let descriptors = self.descriptors.map_or_else(|| "-".into(), |limit| limit.to_string());
        let member = self.member.to_string();
        let mut all = vec![NAME.into(), member.into(), allowance.into(), descriptors.into(), history.into()];
        all.extend(self.command.iter().cloned());
        all
    }

    fn read(mut arguments: impl Iterator<Item = OsString>) -> Option<Self> {
        let member = arguments.next()?.into_string().ok()?.parse().ok()?;
        let allowance = arguments.next()?.into_string().ok()?.parse().ok()?;
        let descriptors = arguments.next()?.into_string().ok()?.parse().ok();
        let history = Some(PathBuf::from(arguments.next()?)).filter(|path| !path.as_os_str().is_empty());
        let command: Vec<OsString> = arguments.collect();
        let allowance = Duration::from_nanos(allowance);
        (!command.is_empty()).then_some(Self { member, allowance, descriptors, history, command })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_calling_is_read_as_it_was_written() {
        for history in [None, Some("/tmp/history file".into())] {
            let calling = Calling {
                member: "a".parse().unwrap(),
                allowance: Duration::from_millis(100),
                descriptors: Some(1024),
                history,
                command: vec!["sleep".into(), "1".into()],
            };
            let arguments = calling.arguments().into_iter().skip(1);
            assert_eq!(Calling::read(arguments), Some(calling));
        }
    }
}
