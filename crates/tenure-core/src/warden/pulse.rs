//! Decides whether a helper still lives, by a number that it must keep changing.
//!
//! What is counted are looks at it, not time: while the whole machine sleeps nobody looks, and a look that comes late counts as
//! one. A helper that is frozen, hung or starved while the member is not shows the same number again and again.

/// So many looks without a change are too many: half a ttl, at eight looks in each.
const PATIENCE: u32 = 4;

/// So many are too many before the first change: the helper is only just being started.
const PATIENCE_AT_FIRST: u32 = 2 * PATIENCE;

/// Watches the pulse of one helper.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pulse {
    seen: u64,
    /// Looks since it changed.
    still: u32,
}

impl Pulse {
    /// How many looks there are in a ttl, and how often at least the number must change.
    pub const IN_A_TTL: u32 = 8;

    /// Looks at the number, which is zero before the first beat. Says whether the helper is as good as dead.
    pub fn look(&mut self, beat: u64) -> bool {
        if beat != self.seen {
            *self = Self { seen: beat, still: 0 };
            return false;
        }
        self.still += 1;
        self.still >= if self.seen == 0 { PATIENCE_AT_FIRST } else { PATIENCE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_changes_is_a_life_however_slowly() {
        let mut pulse = Pulse::default();
        assert!((1..100).all(|look| !pulse.look(look / 3 + 1)));
    }

    #[test]
    fn a_number_that_stands_still_for_half_a_ttl_of_looks_is_a_death() {
        let mut pulse = Pulse::default();
        assert!(!pulse.look(7));
        assert_eq!([7; 4].map(|beat| pulse.look(beat)), [false, false, false, true]);
    }

    #[test]
    fn a_helper_that_never_begins_has_a_ttl() {
        let mut pulse = Pulse::default();
        let looks = [0; 8].map(|beat| pulse.look(beat));
        assert_eq!(looks, [false, false, false, false, false, false, false, true]);
    }
}
