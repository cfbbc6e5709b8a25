//! How long a lease can last and how short silence can be, in ticks of true time.
//!
//! Clocks run at different rates. Only the worst pair matters for safety: a holder whose clock is slow and an observer whose
//! clock is fast, both by as much as is allowed. So the drift is folded into these two numbers and all clocks tick together.
//! A holder whose clock is fast only lapses early, and the model lets a holder lapse at any time.
//!
//! ```text
//!  sent_at     landed                     lease over          silent
//!  |-----------|--------------------------|                   |
//!  |<-- ttl − margin + drift (holder slow) ->|
//!              |<---- ttl + slack − drift (observer fast) --->|
//! ```

/// The numbers of the protocol, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Length of a lease.
    pub ttl: u8,
    /// How much sooner its holder gives it up.
    pub margin: u8,
    /// How much longer observers wait.
    pub slack: u8,
    /// How many ticks a clock can be wrong by in that time.
    pub drift: u8,
}

impl Timing {
    /// The tightest numbers that are safe: one tick more of drift breaks them.
    pub const TIGHT: Self = Self { ttl: 2, margin: 1, slack: 1, drift: 1 };
    /// The same with a longer lease, for more to happen within one.
    pub const LONG: Self = Self { ttl: 3, margin: 1, slack: 1, drift: 1 };

    /// The longest that a lease can be valid after its attempt was sent.
    pub fn longest_lease(self) -> u8 {
        self.ttl + self.drift - self.margin
    }

    /// The shortest time after a version landed in which it can be found silent.
    pub fn shortest_silence(self) -> u8 {
        self.ttl + self.slack - self.drift
    }
}
