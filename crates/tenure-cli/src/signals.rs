//! Being told to stop, by a signal.
//!
//! A terminal that closes hangs up, and often twice: its shell says so to its jobs, and then the kernel to all that are left. So
//! only the first hangup counts, and none does if we were started so, as by `nohup`.

use std::future::poll_fn;
use std::task::{Context, Poll};

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::exit::{Exit, Failure};

/// By Ctrl-C, or by the supervisor of this process.
const ASKED: [SignalKind; 2] = [SignalKind::interrupt(), SignalKind::terminate()];

/// The signals that ask this process to end.
#[derive(Debug)]
pub(crate) struct StopSignals {
    asked: Vec<Signal>,
    /// Until it came.
    hangup: Option<Signal>,
}

impl StopSignals {
    /// From now on Ctrl-C, SIGTERM and SIGHUP end nothing by themselves.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let mut stops = Self::listen_to(&ASKED)?;
        stops.hangup = (!ignores_hangup()).then(|| ear(SignalKind::hangup())).transpose()?;
        Ok(stops)
    }

    /// The same for these signals alone.
    pub(crate) fn listen_to(kinds: &[SignalKind]) -> Result<Self, Failure> {
        let asked: Result<_, _> = kinds.iter().map(|kind| ear(*kind)).collect();
        Ok(Self { asked: asked?, hangup: None })
    }

    /// Completes at the next signal. Cancel-safe.
    pub(crate) async fn next(&mut self) {
        poll_fn(|context| if self.is_told(context) { Poll::Ready(()) } else { Poll::Pending }).await;
    }

    fn is_told(&mut self, context: &mut Context<'_>) -> bool {
        // All are asked, so that each of them wakes us.
        let asked = self.asked.iter_mut().filter_map(|signal| told(signal, context)).count() > 0;
        let hung_up = self.hangup.as_mut().is_some_and(|signal| told(signal, context).is_some());
        self.hangup = self.hangup.take().filter(|_| !hung_up);
        asked || hung_up
    }
}

fn told(signal: &mut Signal, context: &mut Context<'_>) -> Option<()> {
    signal.poll_recv(context).is_ready().then_some(())
}

fn ear(kind: SignalKind) -> Result<Signal, Failure> {
    signal(kind).map_err(|error| Failure::new(Exit::Store, "can't listen for signals").because(error))
}

/// Whether this process was started so that it outlives its terminal.
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    ignored(&status).is_some_and(|mask| mask & 1 != 0)
}

/// The signals that a process ignores, a bit each, from the lowest.
fn ignored(status: &str) -> Option<u64> {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ignored_is_read_from_what_the_kernel_says() {
        assert_eq!(ignored("Name:\tx\nSigBlk:\t0000000000000002\nSigIgn:\t0000000000001001\n"), Some(0x1001));
        assert_eq!(ignored(""), None);
    }
}
