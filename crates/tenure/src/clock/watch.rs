//! Whether the clock can be trusted.
//!
//! Leases are safe while a second of boot time is a second, within ρ. Two things break that without anybody noticing: a time
//! daemon that slews the kernel's clock (by up to 8%), and a machine that was paused from outside, whose boot time stood
//! still. The first shows as the clock going faster or slower than the raw oscillator, which nothing slews; the second as
//! wall time, once corrected, running ahead of boot time.
//!
//! Small jumps add up: each one alone may fit into the margin, yet a lease suffers them all. So the lead of wall time is kept,
//! and forgotten at the rate ρ only.

use std::time::Duration;

use tenure_core::moment::Moment;

/// Rates are judged over at least this long: over less, the blur of a reading is all there is to see.
const SPAN_MIN: Duration = Duration::from_millis(100);

/// All clocks of one machine at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// `CLOCK_BOOTTIME`: slewed, counts suspend.
    pub(crate) boot: Duration,
    /// `CLOCK_REALTIME`: slewed, and set to the true time now and then.
    pub(crate) wall: Duration,
    /// `CLOCK_MONOTONIC`: slewed, stands still in suspend.
    pub(crate) monotonic: Duration,
    /// `CLOCK_MONOTONIC_RAW`: the oscillator alone.
    pub(crate) raw: Duration,
    /// How long the reading took: so much its parts may disagree.
    pub(crate) blur: Duration,
}

impl Reading {
    /// The reading of a machine whose clocks all show the same.
    pub(crate) fn unanimous(now: Moment) -> Self {
        let shown = Duration::from_nanos(now.as_nanos());
        Self { boot: shown, wall: shown, monotonic: shown, raw: shown, blur: Duration::ZERO }
    }
}

/// Judges the clocks by comparing them to themselves a while ago.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClockWatch {
    last: Option<Reading>,
    /// By how many seconds wall time has run ahead of boot time, as far as that is not forgotten.
    lead_s: f64,
}

impl ClockWatch {
    /// A watch that has seen nothing yet.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Takes in a reading. The first one, and one that comes too soon after the last, is never wrong.
    ///
    /// # Errors
    /// What is wrong with the clock, in words: a member that holds a lease by it lapses. The watch starts anew from this reading.
    pub(crate) fn observe(&mut self, reading: Reading, drift: f64, margin: Duration) -> Result<(), String> {
        let Some(last) = self.last else {
            self.last = Some(reading);
            return Ok(());
        };
        let shows_rate = elapsed(last.raw, reading.raw).abs() >= SPAN_MIN.as_secs_f64();
        if !shows_rate && !jumped(last, reading) {
            return Ok(());
        }
        self.last = Some(reading);
        if shows_rate {
            self.judge_rate(last, reading, drift)?;
        }
        self.judge_lead(last, reading, drift, margin)
    }

    fn judge_rate(&mut self, last: Reading, now: Reading, drift: f64) -> Result<(), String> {
        let (true_s, shown_s) = (elapsed(last.raw, now.raw), elapsed(last.monotonic, now.monotonic));
        let blur_s = (last.blur + now.blur).as_secs_f64();
        if (shown_s - true_s).abs() <= drift * true_s.abs() + blur_s {
            return Ok(());
        }
        self.lead_s = 0.0;
        Err(format!(
            "the clock showed {shown_s:.4} s while {true_s:.4} s passed, a rate outside the tolerated {:.1}%; a time daemon may be \
             slewing it: step or slew it slower, or raise clock_drift",
            drift * 100.0
        ))
    }

    fn judge_lead(
        &mut self,
        last: Reading,
        now: Reading,
        drift: f64,
        margin: Duration,
    ) -> Result<(), String> {
        let (boot_s, wall_s) = (elapsed(last.boot, now.boot), elapsed(last.wall, now.wall));
        let forgotten_s = drift * boot_s.max(0.0);
        let blur_s = (last.blur + now.blur).as_secs_f64();
        let gained_s = wall_s - boot_s - blur_s;
        self.lead_s = (self.lead_s + gained_s - forgotten_s).max(0.0);
        if self.lead_s <= margin.as_secs_f64() {
            return Ok(());
        }
        let ahead_s = std::mem::take(&mut self.lead_s);
        Err(format!(
            "wall time ran {ahead_s:.3} s ahead of boot time, more than the margin of {margin:?}: the machine was paused, or its clock set"
        ))
    }
}

/// A pause shows in wall time alone: it is judged at once, however little boot time has passed.
fn jumped(last: Reading, now: Reading) -> bool {
    elapsed(last.wall, now.wall) - elapsed(last.boot, now.boot) > SPAN_MIN.as_secs_f64()
}

fn elapsed(from: Duration, to: Duration) -> f64 {
    if to >= from { (to - from).as_secs_f64() } else { -(from - to).as_secs_f64() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRIFT: f64 = 0.01;
    const MARGIN: Duration = Duration::from_secs(2);

    fn s(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    fn at(seconds: f64) -> Reading {
        Reading::unanimous(Moment::ZERO + s(1000.0 + seconds))
    }

    fn watch_from(first: Reading) -> ClockWatch {
        let mut watch = ClockWatch::new();
        watch.observe(first, DRIFT, MARGIN).unwrap();
        watch
    }

    #[test]
    fn a_steady_clock_is_trusted() {
        let mut watch = watch_from(at(0.0));
        for second in 1..100 {
            assert_eq!(watch.observe(at(f64::from(second)), DRIFT, MARGIN), Ok(()));
        }
    }

    #[test]
    fn a_clock_slewed_by_eight_percent_is_not_trusted_in_either_direction() {
        for rate in [0.92, 1.08] {
            let mut watch = watch_from(at(0.0));
            let slewed = Reading { monotonic: s(1000.0 + 3.0 * rate), ..at(3.0) };
            let fault = watch.observe(slewed, DRIFT, MARGIN).unwrap_err();
            assert!(fault.contains("clock_drift"), "{fault}");
        }
    }

    #[test]
    fn a_rate_within_the_tolerance_is_trusted() {
        let mut watch = watch_from(at(0.0));
        let slewed = Reading { monotonic: s(1003.029), ..at(3.0) };
        assert_eq!(watch.observe(slewed, DRIFT, MARGIN), Ok(()));
    }

    #[test]
    fn readings_in_quick_succession_give_no_false_alarm() {
        let mut watch = watch_from(at(0.0));
        let early = Reading { monotonic: s(1_000.000_02), ..at(0.000_01) };
        assert_eq!(watch.observe(early, DRIFT, MARGIN), Ok(()));
    }

    #[test]
    fn quick_readings_do_not_hide_a_wrong_rate() {
        let mut watch = watch_from(at(0.0));
        let faults = (1..=20).filter(|step| {
            let raw = f64::from(*step) * 0.01;
            let slewed = Reading { monotonic: s(1000.0 + raw * 1.08), ..at(raw) };
            watch.observe(slewed, DRIFT, MARGIN).is_err()
        });
        assert_eq!(faults.count(), 2, "once for each tenth of a second");
    }

    #[test]
    fn a_reading_interrupted_in_its_midst_gives_no_false_alarm() {
        let mut watch = watch_from(at(0.0));
        let interrupted = Reading { monotonic: s(1000.7), blur: s(0.5), ..at(0.2) };
        assert_eq!(watch.observe(interrupted, DRIFT, MARGIN), Ok(()));
    }

    #[test]
    fn a_paused_machine_is_noticed_once_its_wall_clock_is_set() {
        let mut watch = watch_from(at(0.0));
        let woken = Reading { wall: s(1010.0), ..at(1.0) };
        let fault = watch.observe(woken, DRIFT, MARGIN).unwrap_err();
        assert!(fault.contains("paused"), "{fault}");
    }

    #[test]
    fn a_pause_is_noticed_even_by_a_reading_that_comes_at_once() {
        let mut watch = watch_from(at(0.0));
        let woken = Reading { wall: s(1010.0), ..at(0.001) };
        assert!(watch.observe(woken, DRIFT, MARGIN).is_err());
    }

    #[test]
    fn a_small_jump_at_once_is_not_taken_for_a_wrong_rate() {
        let mut watch = watch_from(at(0.0));
        let early = Reading { wall: s(1000.5), monotonic: s(1_000.000_12), ..at(0.000_1) };
        assert_eq!(watch.observe(early, DRIFT, MARGIN), Ok(()));
    }

    #[test]
    fn after_a_fault_the_watch_starts_anew() {
        let mut watch = watch_from(at(0.0));
        watch.observe(Reading { wall: s(1010.0), ..at(1.0) }, DRIFT, MARGIN).unwrap_err();
        assert_eq!(watch.observe(Reading { wall: s(1011.0), ..at(2.0) }, DRIFT, MARGIN), Ok(()));
    }

    #[test]
    fn small_jumps_add_up() {
        let mut watch = watch_from(at(0.0));
        let first = Reading { wall: s(1002.5), ..at(1.0) };
        assert_eq!(watch.observe(first, DRIFT, MARGIN), Ok(()));
        let second = Reading { wall: s(1005.0), ..at(2.0) };
        assert!(watch.observe(second, DRIFT, MARGIN).is_err());
    }

    #[test]
    fn an_old_jump_is_forgotten() {
        let mut watch = watch_from(at(0.0));
        assert_eq!(watch.observe(Reading { wall: s(1002.5), ..at(1.0) }, DRIFT, MARGIN), Ok(()));
        assert_eq!(watch.observe(Reading { wall: s(1301.5), ..at(300.0) }, DRIFT, MARGIN), Ok(()));
        assert_eq!(watch.observe(Reading { wall: s(1304.0), ..at(301.0) }, DRIFT, MARGIN), Ok(()));
    }

    #[test]
    fn wall_time_set_back_is_harmless() {
        let mut watch = watch_from(at(0.0));
        assert_eq!(watch.observe(Reading { wall: s(400.0), ..at(1.0) }, DRIFT, MARGIN), Ok(()));
    }

    #[test]
    fn suspend_is_no_fault_since_boot_time_counts_it() {
        let mut watch = watch_from(at(0.0));
        let resumed = Reading { boot: s(4600.0), wall: s(4600.0), ..at(1.0) };
        assert_eq!(watch.observe(resumed, DRIFT, MARGIN), Ok(()));
    }
}
