//! Who: incarnations, and small sets of them and of epochs.

use super::state::{LINES, TERMS};

/// One life of a member, `id#(line, term)`. Term 0 is nobody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Incarnation {
    /// Which member.
    pub id: u8,
    /// Drawn anew for every attempt to create a record.
    pub line: u8,
    /// Grows by one with every join that replaces the record.
    pub term: u8,
}

impl Incarnation {
    /// Nobody.
    pub const NOBODY: Self = Self { id: 0, line: 0, term: 0 };

    /// The life that replaces this one in its record.
    #[must_use]
    pub fn next(self) -> Self {
        Self { term: self.term + 1, ..self }
    }

    /// Whether this is a life at all.
    pub fn is_somebody(self) -> bool {
        self.term > 0
    }

    /// Whether both are lives of one line.
    pub fn same_line(self, other: Self) -> bool {
        (self.id, self.line) == (other.id, other.line)
    }

    fn bit(self) -> u128 {
        debug_assert!(self.is_somebody() && self.line < LINES as u8 && self.term <= TERMS as u8);
        1 << ((self.id as usize * LINES + self.line as usize) * TERMS + self.term as usize - 1)
    }

    fn from_place(place: usize) -> Self {
        let (line, term) = (place / TERMS, place % TERMS);
        Self { id: (line / LINES) as u8, line: (line % LINES) as u8, term: term as u8 + 1 }
    }
}

/// A set of incarnations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Incarnations(u128);

impl Incarnations {
    /// Adds one.
    pub fn insert(&mut self, who: Incarnation) {
        self.0 |= who.bit();
    }

    /// Whether `who` is in it.
    pub fn has(self, who: Incarnation) -> bool {
        who.is_somebody() && self.0 & who.bit() != 0
    }

    /// All of them, in order.
    pub fn iter(self) -> impl Iterator<Item = Incarnation> {
        let places = std::iter::successors(Some(self.0), |rest| Some(rest & rest.wrapping_sub(1)));
        places
            .take_while(|rest| *rest != 0)
            .map(|rest| Incarnation::from_place(rest.trailing_zeros() as usize))
    }
}

/// A set of epochs, 1 to 15.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Epochs(u16);

impl Epochs {
    /// Adds one.
    pub fn insert(&mut self, epoch: u8) {
        self.0 |= 1 << epoch;
    }

    /// Takes one out.
    pub fn remove(&mut self, epoch: u8) {
        self.0 &= !(1 << epoch);
    }

    /// Whether `epoch` is in it.
    pub fn has(self, epoch: u8) -> bool {
        self.0 & (1 << epoch) != 0
    }

    /// Whether none is in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The highest in it; 0 if there is none.
    pub fn highest(self) -> u8 {
        self.0.checked_ilog2().unwrap_or(0) as u8
    }

    /// All of them, from the lowest.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..16).filter(move |epoch| self.has(*epoch))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_back_the_lives_that_were_put_in() {
        let lives = [(0, 0, 1), (0, 3, 5), (2, 1, 2)].map(|(id, line, term)| Incarnation { id, line, term });
        let mut set = Incarnations::default();
        lives.iter().for_each(|life| set.insert(*life));
        assert_eq!(set.iter().collect::<Vec<_>>(), lives);
        assert!(set.has(lives[1]) && !set.has(lives[0].next()) && !set.has(Incarnation::NOBODY));
    }

    #[test]
    fn the_highest_epoch_of_none_is_zero() {
        let mut set = Epochs::default();
        assert_eq!(set.highest(), 0);
        [2, 5, 3].iter().for_each(|epoch| set.insert(*epoch));
        assert_eq!((set.highest(), set.iter().collect::<Vec<_>>()), (5, vec![2, 3, 5]));
    }
}
