//! How many notifications are listened to. Anybody may send them, and each costs its hearers something; so of too many only a share
//! is taken as it is, and the rest together says "look at everything". A flood would also hold up the answers behind it: it is not
//! listened to at all for a while.

use std::time::Duration;

use tenure_core::moment::Moment;

/// So many are taken in each span. A thousand members with a ttl of 10 s send 30 in it.
const TAKEN: u32 = 200;
const SPAN: Duration = Duration::from_millis(100);
/// So many in one span are a flood.
const FLOOD: u32 = 10 * TAKEN;

/// What to do with a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is taken as it is.
    Take,
    /// It stands for all that are left out.
    LookAtEverything,
    /// It is left out.
    LeaveOut,
    /// It is left out, and it is time to stop listening.
    Flood,
}

/// What was taken of late.
#[derive(Debug, Default)]
pub(super) struct Brake {
    until: Moment,
    taken: u32,
    /// Something was left out, and nobody was told to look since.
    owed: bool,
}

impl Brake {
    /// Weighs a notification that comes now.
    pub(super) fn weigh(&mut self, now: Moment) -> Verdict {
        if now >= self.until {
            (self.until, self.taken) = (now + SPAN, 0);
        }
        self.taken += 1;
        match self.taken {
            1 if std::mem::take(&mut self.owed) => Verdict::LookAtEverything,
            ..=TAKEN => Verdict::Take,
            taken => {
                self.owed = true;
                if taken == FLOOD { Verdict::Flood } else { Verdict::LeaveOut }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Moment = Moment::from_nanos(1_000_000_000_000);

    fn weigh(brake: &mut Brake, now: Moment, count: u32) -> Vec<Verdict> {
        (0..count).map(|_| brake.weigh(now)).collect()
    }

    #[test]
    fn what_is_not_too_much_is_taken_as_it_is() {
        let mut brake = Brake::default();
        for span in 0..10 {
            let verdicts = weigh(&mut brake, NOW + SPAN * span, TAKEN);
            assert!(verdicts.iter().all(|verdict| *verdict == Verdict::Take));
        }
    }

    #[test]
    fn what_a_flood_left_out_is_made_up_for_by_one_look() {
        let mut brake = Brake::default();
        let flood = weigh(&mut brake, NOW, 10_000);
        let count = |wanted: Verdict| flood.iter().filter(|verdict| **verdict == wanted).count();
        assert_eq!((count(Verdict::Take), count(Verdict::Flood)), (TAKEN as usize, 1));
        let after = weigh(&mut brake, NOW + SPAN, 2);
        assert_eq!(after, [Verdict::LookAtEverything, Verdict::Take]);
    }
}
