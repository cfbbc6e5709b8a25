//! The dead man's timer: the kernel kills this process at a moment, unless it is told otherwise before.
//!
//! It works while all of us sleep: it ends a process that is stopped, too. A timer of a namespace's own first process would be
//! ignored, since no signal without a handler reaches that one from within; so it is the reaper's, which stands outside.

use std::io;
use std::time::Duration;

use nix::sys::signal::{SigEvent, SigevNotify, Signal};
use nix::sys::time::TimeSpec;
use nix::sys::timer::{Expiration, Timer, TimerSetTimeFlags};
use nix::time::ClockId;
use tenure_core::moment::Moment;

/// The timer of this process.
#[derive(Debug)]
pub(super) struct KillTimer {
    timer: Timer,
    set: Option<Moment>,
}

impl KillTimer {
    /// A timer that is not set.
    pub(super) fn new() -> io::Result<Self> {
        let kill = SigevNotify::SigevSignal { signal: Signal::SIGKILL, si_value: 0 };
        // Boot time: a machine that slept past the lease wakes up without its commands.
        Ok(Self { timer: Timer::new(ClockId::CLOCK_BOOTTIME, SigEvent::new(kill))?, set: None })
    }

    /// Sets it to `moment`; `None`: never.
    pub(super) fn set(&mut self, moment: Option<Moment>) -> io::Result<()> {
        if self.set == moment {
            return Ok(());
        }
        let since_boot = Duration::from_nanos(moment.map_or(0, |moment| moment.as_nanos().max(1)));
        // Zero switches the timer off.
        let once = Expiration::OneShot(TimeSpec::from_duration(since_boot));
        self.timer.set(once, TimerSetTimeFlags::TFD_TIMER_ABSTIME)?;
        self.set = moment;
        Ok(())
    }
}
