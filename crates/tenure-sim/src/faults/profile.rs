//! The themes of faults, and the weights that a seed draws within its theme.

use super::{SECOND, Shape, Strike};
use crate::chance::Chance;
use crate::clock::Nanos;

/// A theme: which faults a seed has for certain. All others are drawn, each seldom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    /// Whatever comes.
    Mixed,
    /// Hardly any faults; members come and go, shards move.
    Moves,
    /// Writes are lost, late, doubled, and answered wrongly.
    Writes,
    /// Lists are old, hints are missing.
    Stale,
    /// Processes stand still.
    Pauses,
    /// Members start again under the same id, even twice at once.
    Lives,
    /// Clocks drift as far as they may and margins are small.
    Drift,
    /// The operator deletes and spoils records.
    Operator,
    /// The operator drains, moves and fences, while members come and go.
    Orders,
    /// Records are deleted, and now and then a very old listing shows them again.
    Ghosts,
    /// The store is away, wholly or for some.
    Outages,
    /// A clock is worse than ρ: I1, I3 and I4 are not promised.
    BadClock,
}

const THEMES: [(Theme, u32); 12] = [
    (Theme::Mixed, 6),
    (Theme::Moves, 4),
    (Theme::Writes, 5),
    (Theme::Stale, 3),
    (Theme::Pauses, 4),
    (Theme::Lives, 5),
    (Theme::Drift, 3),
    (Theme::Operator, 3),
    (Theme::Orders, 3),
    (Theme::Ghosts, 2),
    (Theme::Outages, 3),
    (Theme::BadClock, 1),
];

/// How work behaves, in shares of ten thousand.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work {
    /// It fails as soon as it starts.
    pub(crate) fails: u32,
    /// It takes long to drain.
    pub(crate) lingers: u32,
    /// It never drains.
    pub(crate) ignores_drain: u32,
    /// It never ends, not even when interrupted.
    pub(crate) endless: u32,
}

/// Everything that may go wrong in one seed; shares are of ten thousand.
#[derive(Clone, Debug)]
pub(crate) struct FaultProfile {
    pub(crate) theme: Theme,
    /// How long a message takes from a process to the store, or back.
    pub(crate) hop: (Nanos, Nanos),
    /// How late timers go off.
    pub(crate) timer_lag: Nanos,
    pub(crate) lost: u32,
    pub(crate) delayed: u32,
    pub(crate) delay: (Nanos, Nanos),
    pub(crate) doubled: u32,
    /// Reads that take nearly as long as a call may.
    pub(crate) slow: u32,
    pub(crate) unanswered: u32,
    pub(crate) conflict_said: u32,
    pub(crate) unknown_said: u32,
    pub(crate) refused: u32,
    pub(crate) stale: u32,
    pub(crate) staleness: Nanos,
    pub(crate) hints_missing: u32,
    /// Hints that bring the record itself, as it was when they set out.
    pub(crate) hints_tell: u32,
    pub(crate) hints_late: u32,
    /// Whoever likes may hint: what hints tell is a rumour, and that many of them are lies.
    pub(crate) hints_forged: u32,
    pub(crate) grants_lost: u32,
    pub(crate) grants_late: u32,
    pub(crate) proofs: u32,
    pub(crate) work: Work,
    pub(crate) strikes: Vec<(Strike, u32)>,
    pub(crate) strike_every: (Nanos, Nanos),
    /// How long the faults last.
    pub(crate) lasts: Nanos,
}

impl Theme {
    /// Draws a theme.
    pub(crate) fn draw(chance: &mut Chance) -> Self {
        chance.weighed(&THEMES).unwrap_or(Self::Mixed)
    }

    /// Whether margins are small.
    pub(crate) fn is_tight(self) -> bool {
        self == Self::Drift
    }

    fn always(self) -> &'static [Strike] {
        match self {
            Self::Mixed | Self::Writes | Self::Stale => &[],
            Self::Moves => &[Strike::Start, Strike::Leave, Strike::Bounce, Strike::Want],
            Self::Pauses => &[Strike::Pause, Strike::LongPause, Strike::TellDeath],
            Self::Lives => &[Strike::Bounce, Strike::Twin, Strike::Crash, Strike::Start, Strike::TellDeath],
            Self::Drift => &[Strike::LongPause, Strike::Cut],
            Self::Operator => &[
                Strike::DeleteRecord,
                Strike::DrainRecord,
                Strike::SpoilRecord,
                Strike::RewindRecord,
                Strike::StrangeRelease,
                Strike::SpoilPage,
                Strike::DeletePage,
                Strike::Bounce,
            ],
            Self::Orders => &[
                Strike::DrainRecord,
                Strike::Move,
                Strike::TakeBack,
                Strike::Fence,
                Strike::Leave,
                Strike::Start,
                Strike::Crash,
            ],
            Self::Ghosts => &[Strike::DeleteRecord, Strike::Crash, Strike::Bounce, Strike::Start],
            Self::Outages => &[Strike::Outage, Strike::Cut],
            Self::BadClock => &[Strike::LongPause, Strike::Crash, Strike::Start],
        }
    }
}

impl FaultProfile {
    /// Draws the faults of a seed.
    pub(crate) fn draw(chance: &mut Chance, theme: Theme, shape: &Shape) -> Self {
        let ttl = shape.ttl();
        let mut faults = Self::calm(theme, chance, ttl);
        faults.spoil_calls(chance);
        faults.spoil_reads(chance, ttl);
        faults.spoil_work(chance);
        faults.strikes = strikes(theme, chance);
        faults
    }

    fn calm(theme: Theme, chance: &mut Chance, ttl: Nanos) -> Self {
        let hop = chance.pick(&[ttl / 5_000, ttl / 1_000, ttl / 200]);
        let every = chance.pick(&[ttl / 10, ttl / 4, ttl / 2]);
        let lasts = ttl * chance.pick(&[6, 10, 14, 20]);
        Self {
            theme,
            hop: (hop / 4, hop),
            timer_lag: ttl / 1_000,
            lost: 0,
            delayed: 0,
            delay: (ttl / 20, ttl * chance.pick(&[1, 2, 4])),
            doubled: 0,
            slow: 0,
            unanswered: 0,
            conflict_said: 0,
            unknown_said: 0,
            refused: 0,
            stale: 0,
            staleness: 0,
            hints_missing: chance.pick(&[0, 0, 5_000, 10_000]),
            hints_tell: chance.pick(&[0, 5_000, 10_000]),
            hints_late: 0,
            hints_forged: 0,
            grants_lost: 0,
            grants_late: 0,
            proofs: 0,
            work: Work::default(),
            strikes: Vec::new(),
            strike_every: (every / 4, every * 2),
            lasts,
        }
    }

    fn spoil_calls(&mut self, chance: &mut Chance) {
        let certain = self.theme == Theme::Writes;
        let mut share = |most: u32| share(chance, certain, most);
        self.lost = share(1_500);
        self.delayed = share(2_000);
        self.doubled = share(2_000);
        self.unanswered = share(2_000);
        self.conflict_said = share(1_500);
        self.unknown_said = share(1_500);
        self.refused = share(1_500);
        self.grants_lost = share(5_000);
        self.grants_late = share(8_000);
    }

    fn spoil_reads(&mut self, chance: &mut Chance, ttl: Nanos) {
        self.slow = share(chance, self.theme == Theme::Drift, 6_000);
        self.stale = share(chance, self.theme == Theme::Stale, 9_000);
        self.hints_late = share(chance, false, 5_000);
        self.staleness = ttl * chance.pick(&[1, 1, 2, 4]) / 2;
        match self.theme {
            Theme::Stale => self.hints_missing = 10_000,
            // Listings must be good for longer than any lease before one is old enough.
            Theme::Ghosts => (self.stale, self.staleness) = (share(chance, true, 2_000), 4 * ttl),
            _ => {}
        }
        let known = matches!(self.theme, Theme::Lives | Theme::Pauses);
        self.proofs = if known || chance.in_10k(5_000) { chance.pick(&[2_000, 9_000]) } else { 0 };
        self.hints_forged = share(chance, false, 5_000);
    }

    fn spoil_work(&mut self, chance: &mut Chance) {
        let certain = self.theme == Theme::Moves;
        self.work.fails = share(chance, false, 4_000);
        self.work.lingers = share(chance, certain, 8_000);
        self.work.ignores_drain = share(chance, certain, 3_000);
        self.work.endless = share(chance, false, 1_000);
    }

    /// All faults stop; messages travel as fast as they do on a good day.
    pub(crate) fn clear(&mut self, ttl: Nanos) {
        let calm = Self::calm(self.theme, &mut Chance::new(0), ttl);
        let hints_missing = if self.hints_missing == 10_000 { 10_000 } else { 0 };
        let hints_tell = self.hints_tell;
        *self = Self { hop: (SECOND / 2_000, SECOND / 100), hints_missing, hints_tell, ..calm };
    }
}

/// How often a fault befalls what it can befall: never in most seeds, unless the theme wants it.
fn share(chance: &mut Chance, certain: bool, most: u32) -> u32 {
    if !certain && !chance.in_10k(2_500) {
        return 0;
    }
    1 + chance.below(u64::from(most)) as u32
}

fn strikes(theme: Theme, chance: &mut Chance) -> Vec<(Strike, u32)> {
    let often = if theme == Theme::Mixed { 5_000 } else { 1_500 };
    let mut drawn = Vec::new();
    for (strike, weight) in Strike::ALL {
        if theme.always().contains(&strike) {
            drawn.push((strike, weight * 4));
        } else if chance.in_10k(often) {
            drawn.push((strike, weight));
        }
    }
    drawn
}
