//! What a process's clock shows at a moment of true time.
//!
//! True time is a number of nanoseconds that only the simulator knows. A process sees its own clock, which begins
//! anywhere and runs a little fast or slow: by at most ρ for a healthy machine, by more for a faulty one.

use tenure_core::moment::Moment;

/// True time, in nanoseconds since the seed began.
pub type Nanos = u64;

/// One machine's boot-time clock: affine in true time.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    offset: u64,
    ppm: i64,
    lost: u64,
}

impl Clock {
    /// A clock that shows `offset` at true time zero and is fast by `ppm` millionths.
    pub fn new(offset: u64, ppm: i64) -> Self {
        Self { offset, ppm, lost: 0 }
    }

    /// What the clock shows at `at`.
    pub fn read(&self, at: Nanos) -> Moment {
        Moment::from_nanos(self.shown(at))
    }

    /// The earliest true time at which the clock shows `local` or more.
    pub fn when(&self, local: Moment) -> Nanos {
        let wanted = local.as_nanos();
        let ahead = u128::from(wanted.saturating_sub(self.offset));
        let guess = ahead * 1_000_000 / (1_000_000 + i128::from(self.ppm)) as u128;
        let mut at = guess as u64 + self.lost;
        // The guess is off by the rounding alone: a few steps at most.
        while self.shown(at) < wanted {
            at += 1;
        }
        while at > self.lost && self.shown(at - 1) >= wanted {
            at -= 1;
        }
        at
    }

    /// Forgets `span`: a clock that does not count suspend. Only a seeded bug does this.
    pub fn forget(&mut self, span: Nanos) {
        self.lost += span;
    }

    fn shown(&self, at: Nanos) -> u64 {
        let passed = at.saturating_sub(self.lost) as i64;
        let error = passed / 1_000_000 * self.ppm + passed % 1_000_000 * self.ppm / 1_000_000;
        self.offset.saturating_add_signed(passed + error)
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
    fn a_clock_that_forgets_suspend_shows_less() {
        let mut clock = Clock::new(0, 0);
        clock.forget(5);
        assert_eq!(clock.read(12), Moment::from_nanos(7));
        assert_eq!(clock.when(Moment::from_nanos(7)), 12);
    }
}
