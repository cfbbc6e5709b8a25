//! Wakes a poll at a moment of boot time, which goes on while the machine sleeps.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create, timerfd_settime,
};
use tenure_core::moment::Moment;

/// A timer to poll; readable once its moment has come.
#[derive(Debug)]
pub(super) struct Alarm(OwnedFd);

impl Alarm {
    /// An alarm that is not set.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self(timerfd_create(TimerfdClockId::Boottime, TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK)?))
    }

    /// Sets it to `moment`, which may have passed already; `None`: never.
    pub(super) fn set(&self, moment: Option<Moment>) -> io::Result<()> {
        // Zero would switch the timer off.
        let nanos = moment.map_or(0, |moment| moment.as_nanos().max(1));
        let it_value = Timespec {
            tv_sec: i64::try_from(nanos / 1_000_000_000).unwrap_or(i64::MAX),
            tv_nsec: (nanos % 1_000_000_000) as _,
        };
        let once = Itimerspec { it_interval: Timespec { tv_sec: 0, tv_nsec: 0 }, it_value };
        timerfd_settime(&self.0, TimerfdTimerFlags::ABSTIME, &once)?;
        Ok(())
    }
}

impl AsFd for Alarm {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    use super::*;

    fn rings(alarm: &Alarm) -> bool {
        let none = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut [PollFd::new(alarm, PollFlags::IN)], Some(&none)).unwrap() == 1
    }

    #[test]
    fn a_moment_that_has_passed_rings_at_once_and_none_never() {
        let alarm = Alarm::new().unwrap();
        assert!(!rings(&alarm));
        alarm.set(Some(Moment::ZERO)).unwrap();
        while !rings(&alarm) {}
        alarm.set(None).unwrap();
        assert!(!rings(&alarm));
    }
}
