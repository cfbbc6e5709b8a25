//! What a process's clock shows at a moment of true time.
//!
//! True time is a number of nanoseconds that only the simulator knows. A process sees its own clock, which begins
//! anywhere and runs a little fast or slow: by at most ρ for a healthy machine, by more for a faulty one. Its rate may change,
//! and it may jump ahead or stand still for a moment; it never goes back.

use tenure_core::moment::Moment;

/// True time, in nanoseconds since the seed began.
pub type Nanos = u64;

/// A stretch of true time in which a clock runs evenly.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    since: Nanos,
    /// What the clock shows at its beginning.
    shown: u64,
    /// By how many millionths it is fast.
    ppm: i64,
}

impl Stretch {
    fn shown(&self, at: Nanos) -> u64 {
        let passed = (at - self.since) as i64;
        let error = passed / 1_000_000 * self.ppm + passed % 1_000_000 * self.ppm / 1_000_000;
        self.shown.saturating_add_signed(passed + error)
    }

    /// About when it shows `wanted`, which is not before it begins: off by the rounding alone.
    fn guess(&self, wanted: u64) -> Nanos {
        let ahead = u128::from(wanted - self.shown);
        let rate = (1_000_000 + i128::from(self.ppm)).max(1) as u128;
        self.since + (ahead * 1_000_000 / rate).min(u128::from(u64::MAX / 4)) as u64
    }
}

/// One machine's boot-time clock.
#[derive(Clone, Debug)]
pub struct Clock {
    /// In the order of time; there is always a first, which begins with the seed.
    stretches: Vec<Stretch>,
    lost: u64,
}

impl Clock {
    /// A clock that shows `offset` at true time zero and is fast by `ppm` millionths.
    pub fn new(offset: u64, ppm: i64) -> Self {
        Self { stretches: vec![Stretch { since: 0, shown: offset, ppm }], lost: 0 }
    }

    /// From `at` on the clock is fast by `ppm` millionths. Nothing may have been changed at a later time before.
    pub fn bend(&mut self, at: Nanos, ppm: i64) {
        self.stretches.push(Stretch { since: at, shown: self.shown(at), ppm });
    }

    /// At `at` the clock jumps ahead by `span`.
    pub fn jump(&mut self, at: Nanos, span: Nanos) {
        let shown = self.shown(at) + span;
        self.stretches.push(Stretch { since: at, shown, ..*self.stretch(at) });
    }

    /// At `at` the clock stands still for `span`.
    pub fn halt(&mut self, at: Nanos, span: Nanos) {
        let ppm = self.stretch(at).ppm;
        self.bend(at, -1_000_000);
        self.bend(at + span, ppm);
    }

    /// What the clock shows at `at`.
    pub fn read(&self, at: Nanos) -> Moment {
        Moment::from_nanos(self.shown(at.saturating_sub(self.lost)))
    }

    /// The earliest true time at which the clock shows `local` or more.
    pub fn when(&self, local: Moment) -> Nanos {
        let wanted = local.as_nanos();
        let later = self.stretches.partition_point(|stretch| stretch.shown < wanted);
        let Some(within) = later.checked_sub(1) else { return self.lost };
        let latest = self.stretches.get(later).map_or(u64::MAX / 2, |next| next.since);
        let stretch = &self.stretches[within];
        let mut at = stretch.guess(wanted).min(latest);
        // A few steps at most.
        while at < latest && stretch.shown(at) < wanted {
            at += 1;
        }
        while at > stretch.since && stretch.shown(at - 1) >= wanted {
            at -= 1;
        }
        at + self.lost
    }

    /// Forgets `span`: a clock that does not count suspend. Only a seeded bug does this.
    pub fn forget(&mut self, span: Nanos) {
        self.lost += span;
    }

    fn stretch(&self, at: Nanos) -> &Stretch {
        let passed = self.stretches.iter().rev().find(|stretch| stretch.since <= at);
        passed.expect("the first stretch begins with the seed")
    }

    fn shown(&self, at: Nanos) -> u64 {
        self.stretch(at).shown(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_is_reached_exactly_when_the_clock_shows_it() {
        for ppm in [-100_000, -10_000, -1, 0, 1, 10_000, 300_000] {
            let clock = Clock::new(12_345_678_901, ppm);
            for ahead in [0, 1, 999_999, 1_000_000, 10_000_000_123, 900_000_000_007] {
                let local = Moment::from_nanos(12_345_678_901 + ahead);
                let at = clock.when(local);
                assert!(clock.read(at) >= local, "{ppm} {ahead}");
                assert!(at == 0 || clock.read(at - 1) < local, "{ppm} {ahead}");
            }
        }
    }

    #[test]
    fn a_deadline_is_reached_exactly_whatever_the_clock_did_before() {
        let mut clock = Clock::new(5_000, 10_000);
        clock.bend(1_000_000, -100_000);
        clock.jump(2_000_000, 40_000);
        clock.halt(3_000_000, 70_000);
        let mut shown = clock.read(0);
        for at in (0..4_000_000).step_by(997) {
            assert!(clock.read(at) >= shown, "at {at} it went back");
            shown = clock.read(at);
            let when = clock.when(shown);
            assert!(when <= at && clock.read(when) >= shown, "{at}: {when}");
            assert!(when == 0 || clock.read(when - 1) < shown, "{at}: {when}");
        }
    }

    #[test]
    fn a_jump_and_a_halt_shift_what_is_shown_by_their_span() {
        let mut clock = Clock::new(0, 0);
        clock.jump(100, 7);
        clock.halt(200, 9);
        let shown = [99, 100, 150, 200, 209, 300].map(|at| clock.read(at).as_nanos());
        assert_eq!(shown, [99, 107, 157, 207, 207, 298]);
        assert_eq!(clock.when(Moment::from_nanos(103)), 100);
        assert_eq!(clock.when(Moment::from_nanos(208)), 210);
    }

    #[test]
    fn a_clock_that_forgets_suspend_shows_less() {
        let mut clock = Clock::new(0, 0);
        clock.forget(5);
        assert_eq!(clock.read(12), Moment::from_nanos(7));
        assert_eq!(clock.when(Moment::from_nanos(7)), 12);
    }
}
