//! The boot-time clock: the only place that reads one.
//!
//! Leases are measured on `CLOCK_BOOTTIME`, which goes on while the machine sleeps; tokio's timers and std's clocks stand
//! still then. So whoever waits, waits here: a [`Clock`] sleeps on tokio's timer and looks at boot time after every wake.
//! [`ClockWatch`] says when the clock itself can't be trusted.

mod manual;
mod time;
mod watch;

pub use time::{Clock, Elapsed, ManualClock};
pub use watch::{ClockWatch, Reading};
