//! The machine itself.

use super::{Action, Config, Event, Snapshot};
use crate::entropy::Entropy;
use crate::guard::Lease;
use crate::moment::Moment;

/// One member, from start to end.
#[derive(Debug)]
pub struct Machine {
    config: Config,
    entropy: Entropy,
    lease: Lease,
}

impl Machine {
    /// A machine that waits for [`Event::Start`].
    pub fn new(config: Config, entropy: Entropy) -> Self {
        Self { config, entropy, lease: Lease::default() }
    }

    /// Something happened at `now`. Time comes first: a lease that is over by `now` is over before the event is seen.
    pub fn handle(&mut self, now: Moment, event: Event, out: &mut Vec<Action>) {
        let _ = (now, event, out, &self.config, &mut self.entropy);
    }

    /// Time passed. Calling early is harmless.
    pub fn advance(&mut self, now: Moment, out: &mut Vec<Action>) {
        let _ = (now, out);
    }

    /// When to call [`Machine::advance`] next.
    pub fn deadline(&self) -> Option<Moment> {
        None
    }

    /// The cell that says how long this member may act. One cell for all lives of the machine.
    pub fn lease(&self) -> &Lease {
        &self.lease
    }

    /// Everything that this member knows.
    pub fn snapshot(&self, now: Moment) -> Snapshot {
        let _ = now;
        unimplemented!()
    }
}
