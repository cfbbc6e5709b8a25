//! Where this program begins when it was started as a sexton, a warden or a child-to-be.

use std::env::args_os;
use std::ffi::OsString;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal, setsid};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

use super::calling::{self, Calling};
use super::child;
use super::machine::Machine;
use super::nursery::Nursery;
use super::records::Records;
use super::serve::Service;
use super::sexton::Sexton;
use super::tree;
use super::wire::Wire;
use crate::talk;

/// What the process ends with, if it was started as one of ours; `None` for all that people start.
pub(crate) fn called() -> Option<ExitCode> {
    let mut arguments = args_os().skip(1);
    match arguments.next()?.to_str()? {
        child::NAME => Some(child::become_command(arguments)),
        calling::WARDEN => Some(end_of(warden(arguments))),
        calling::SEXTON => Some(end_of(sexton(arguments))),
        _ => None,
    }
}

fn end_of(served: io::Result<()>) -> ExitCode {
    // Whatever happened: nothing outlives us.
    tree::sweep();
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            talk::error(&format!("the warden failed: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn sexton(arguments: impl Iterator<Item = OsString>) -> io::Result<()> {
    let (calling, deaths) = begin(arguments)?;
    Sexton::start(&calling, deaths)?.run()
}

fn warden(arguments: impl Iterator<Item = OsString>) -> io::Result<()> {
    let (calling, deaths) = begin(arguments)?;
    // Without its sexton a warden is not safe: it goes, and the kernel ends its children.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid().map(Pid::as_raw_pid) != Some(calling.parent) {
        return Err(io::Error::other("its sexton is gone"));
    }
    tree::raise_descriptor_limit();
    let wire = Wire::given(io::stdin().as_fd().try_clone_to_owned()?);
    let records = Records::open(calling.member, calling.history.as_deref())?;
    let nursery = Nursery::new(calling.command, calling.descriptors);
    Service::new(Machine::new(calling.allowance), nursery, records, wire, deaths)?.run()
}

/// What both do first. The stream is readable when a child has ended.
fn begin(arguments: impl Iterator<Item = OsString>) -> io::Result<(Calling, UnixStream)> {
    let calling = Calling::read(arguments)
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
    Ok((calling, deaths))
}
