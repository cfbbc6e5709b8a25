//! The rules as they are played: a scope, and perhaps one mutant.

use super::mutant::Mutant;
use super::scope::Scope;

/// What is allowed.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The bounds.
    pub scope: Scope,
    /// The rule that is broken, if any.
    pub mutant: Option<Mutant>,
}

impl Rules {
    /// The rules of the protocol within `scope`.
    pub fn sound(scope: Scope) -> Self {
        Self { scope, mutant: None }
    }

    /// The same with one rule broken.
    pub fn broken(scope: Scope, mutant: Mutant) -> Self {
        Self { scope, mutant: Some(mutant) }
    }

    /// Whether `mutant` is at work.
    pub fn has(&self, mutant: Mutant) -> bool {
        self.mutant == Some(mutant)
    }

    /// Whether any of `mutants` is at work.
    pub fn any(&self, mutants: &[Mutant]) -> bool {
        self.mutant.is_some_and(|mutant| mutants.contains(&mutant))
    }

    /// The longest a lease can last after its attempt was sent (L2).
    pub fn lease(&self) -> u8 {
        let mut timing = self.scope.timing;
        timing.drift += u8::from(self.has(Mutant::DriftBeyondMargin));
        timing.longest_lease()
    }

    /// The shortest time in which somebody can be found silent (O1).
    pub fn silence(&self) -> u8 {
        let mut timing = self.scope.timing;
        timing.drift += u8::from(self.has(Mutant::DriftBeyondMargin));
        match self.has(Mutant::ObserverHurries) {
            true => timing.ttl - 1,
            false => timing.shortest_silence(),
        }
    }

    /// The shortest time between the two reads that find a record lost (O3b); all ttls are the same here.
    pub fn loss(&self) -> u8 {
        self.silence()
    }
}
