//! Being told to stop: the first signal leaves, the second one hurries.

use std::io;

use tenure::Member;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::talk;

/// The signals that ask this process to end.
#[derive(Debug)]
pub(super) struct Stops {
    terminate: Signal,
    interrupt: Signal,
}

impl Stops {
    /// From now on the signals end nothing by themselves.
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Completes at the next signal. Cancel-safe.
    pub(super) async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    /// Leaves the cluster; at the next signal, at once.
    pub(super) async fn leave(&mut self, member: &Member) -> Result<(), tenure::Error> {
        talk::say("leaving: handing all shards on; signal again to hurry");
        tokio::select! {
            left = member.leave() => return left,
            () = self.next() => {}
        }
        talk::say("leaving at once");
        member.leave_at_once().await
    }
}
