//! A shuffled deck of all that can happen: it is dealt to its end before it is shuffled anew, so that nothing is left out by
//! chance.

/// The cards, and those of them that are still to be dealt.
#[derive(Debug)]
pub struct Deck<Card> {
    all: Vec<Card>,
    left: Vec<Card>,
    dice: fastrand::Rng,
}

impl<Card: Copy> Deck<Card> {
    /// A deck of these, which is shuffled by `dice` of its own: what is dealt depends on the seed, not on how often somebody asks.
    pub fn new(all: Vec<Card>, dice: fastrand::Rng) -> Self {
        Self { all, left: Vec::new(), dice }
    }

    /// The next card that can be played; those before it that can't are kept, and come first the next time.
    pub fn deal(&mut self, playable: impl Fn(Card) -> bool) -> Option<Card> {
        if self.left.is_empty() {
            self.left.clone_from(&self.all);
            self.dice.shuffle(&mut self.left);
        }
        let next = self.left.iter().position(|card| playable(*card))?;
        Some(self.left.remove(next))
    }
}
