//! Where this program begins when it was started as a reaper, a warden, a child-to-be or a probe.

use std::env::args_os;
use std::ffi::OsString;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustix::process::{Signal, set_parent_process_death_signal, setsid};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, low_level};
use tenure_core::warden::{Machine, Order};

use super::args::{self, HelperArgs};
use super::children::Children;
use super::reaper::Reaper;
use super::records::Records;
use super::slate::Slate;
use super::warden::Warden;
use super::wire::Wire;
use super::{child, namespace, tree};
use crate::talk;

/// What the process ends with, if it was started as one of ours; `None` for all that people start.
pub(crate) fn called() -> Option<ExitCode> {
    let mut arguments = args_os().skip(1);
    match arguments.next()?.to_str()? {
        child::NAME => Some(child::become_command(arguments)),
        args::WARDEN => Some(end_of(warden(arguments))),
        args::REAPER => Some(end_of(reaper(arguments))),
        namespace::PROBE => Some(tried(namespace::probe())),
        namespace::PROBE_WITHIN => Some(tried(namespace::furnish())),
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

fn tried(outcome: io::Result<()>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // For the member, which says it in its own words.
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn reaper(arguments: impl Iterator<Item = OsString>) -> io::Result<()> {
    let (args, deaths) = begin(arguments)?;
    Reaper::start(&args, deaths)?.run()
}

fn warden(arguments: impl Iterator<Item = OsString>) -> io::Result<()> {
    let (args, deaths) = begin(arguments)?;
    if args.isolated {
        namespace::furnish()?;
    }
    let bond = Wire::given(io::stdin().as_fd().try_clone_to_owned()?);
    let packet = bond.receive::<Order>()?.ok_or_else(|| io::Error::other("its reaper is gone"))?;
    // Without its reaper a warden is not safe: it goes, and the kernel ends its children.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // A reaper that died before the kernel was asked sends no signal any more. Its number tells nothing in a namespace.
    if bond.is_cut()? {
        return Err(io::Error::other("its reaper is gone"));
    }
    let mut descriptors = packet.descriptors.into_iter();
    let (Some(wire), Some(slate)) = (descriptors.next(), descriptors.next()) else {
        return Err(io::Error::other("the reaper gave no wire and no slate"));
    };
    tree::raise_descriptor_limit();
    let (slate, records) = (Slate::given(slate), Records::open(args.member, args.history.as_deref())?);
    let children = Children::new(args.command, args.descriptors, args.allowance);
    let machine = Machine::new(args.allowance);
    let warden = Warden::new(machine, children, records, Wire::given(wire), slate, deaths, args.beat)?;
    warden.run()
}

/// What both do first. The stream is readable when a child has ended.
fn begin(arguments: impl Iterator<Item = OsString>) -> io::Result<(HelperArgs, UnixStream)> {
    let args = HelperArgs::read(arguments)
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
    Ok((args, deaths))
}
