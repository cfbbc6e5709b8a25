//! The boot-time clock: the only place that reads one.
//!
//! Leases are measured on `CLOCK_BOOTTIME`, which goes on while the machine sleeps; tokio's timers and std's clocks stand
//! still then. So all waiting is done here: a [`Clock`] sleeps on tokio's timer and looks at boot time after every wake.
//! `ClockWatch` says when the clock itself can't be trusted.

#[cfg_attr(
    not(any(test, feature = "testing")),
    expect(dead_code, reason = "only tests and simulations move time")
)]
mod manual;
mod time;
mod watch;

#[cfg(any(test, feature = "testing"))]
pub use time::ManualClock;
pub use time::{Clock, Elapsed};
pub(crate) use watch::{ClockWatch, Reading};
