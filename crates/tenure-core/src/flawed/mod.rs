//! Seeded bugs: each breaks one rule of the protocol, so that the simulator can prove that it would notice.
//!
//! With the feature `flaws` these [`Rules`] stand in the place of [the shipped ones](crate::rules): the same methods, of which
//! each breaks its rule if that is asked for, and else asks the shipped one. No user's build contains any of this.

mod acting;
mod flaw;
mod lease;
mod ledger;
mod settling;
mod watching;

pub use flaw::Flaw;

use crate::message::When;
use crate::record::Version;
use crate::rules::Rules as Shipped;

/// What a seeded bug writes in place of a version when it checks none. Only the simulated store knows what it means.
pub const ANY_VERSION: &str = "any";

/// What is kept where nothing is broken.
const KEPT: Shipped = Shipped::ALL;

/// The rules that a machine goes by, of which one may be broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    broken: Option<Flaw>,
}

impl Rules {
    /// All of them.
    pub const ALL: Self = Self { broken: None };

    /// All rules but the one that `flaw` breaks.
    pub fn but(flaw: Flaw) -> Self {
        Self { broken: Some(flaw) }
    }

    fn has(self, flaw: Flaw) -> bool {
        self.broken == Some(flaw)
    }

    /// The condition of a write: `kept`, or none if `flaw` is asked for.
    fn condition(self, flaw: Flaw, kept: When) -> When {
        if self.has(flaw) { When::Is(Version::new(ANY_VERSION)) } else { kept }
    }
}
