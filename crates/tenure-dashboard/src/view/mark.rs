//! How a member is told from others, on the page and in the terminal alike: a letter, and a colour and pattern that go with it.
//!
//! The letter is the member's initial, so that two screens show the same; where another has it the
//! small one, and then the first that is free. It is kept for as long as the name is remembered.

use std::collections::BTreeMap;

use serde::Serialize;
use tenure::MemberId;

const LETTERS: &[u8; 52] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Colours that most eyes tell apart.
const COLOURS: usize = 8;

/// Patterns for a colour; the first is none.
const PATTERNS: usize = 4;

/// How a member looks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mark {
    /// A letter; with a number behind it, if there are more members than letters.
    pub letter: String,
    /// Which of eight colours.
    pub colour: usize,
    /// Which of four patterns on it; 0 is none.
    pub pattern: usize,
}

impl Mark {
    /// Everything follows from the place in the alphabet: one letter has one colour, wherever it is seen.
    fn numbered(number: usize) -> Self {
        let letter = char::from(LETTERS[number % LETTERS.len()]);
        let round = number / LETTERS.len();
        let letter = if round == 0 { letter.to_string() } else { format!("{letter}{round}") };
        Self { letter, colour: number % COLOURS, pattern: number / COLOURS % PATTERNS }
    }
}

/// The marks of all names that were ever asked for.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    given: BTreeMap<MemberId, usize>,
}

impl Marks {
    /// The mark of this member: the one that it has, or a new one.
    pub fn of(&mut self, id: &MemberId) -> Mark {
        if let Some(number) = self.given.get(id) {
            return Mark::numbered(*number);
        }
        let number = self.free(id);
        self.given.insert(id.clone(), number);
        Mark::numbered(number)
    }

    fn free(&self, id: &MemberId) -> usize {
        let is_free = |number: &usize| !self.given.values().any(|given| given == number);
        wishes(id).find(is_free).or_else(|| (0..).find(is_free)).expect("there are more numbers than names")
    }
}

/// The initial, large and then small.
fn wishes(id: &MemberId) -> impl Iterator<Item = usize> {
    let initial = id.as_str().bytes().next().filter(u8::is_ascii_alphabetic);
    let place = initial.map(|initial| usize::from(initial.to_ascii_uppercase() - b'A'));
    place.into_iter().flat_map(|place| [place, place + LETTERS.len() / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        let mut marks = Marks::default();
        names.into_iter().map(|name| marks.of(&name.parse().unwrap()).letter).collect()
    }

    #[test]
    fn a_member_has_its_initial_whoever_came_before() {
        assert_eq!(letters(["ada", "ben", "cleo"]), ["A", "B", "C"]);
        assert_eq!(letters(["cleo", "ada", "ben"]), ["C", "A", "B"]);
    }

    #[test]
    fn where_the_initial_is_taken_the_small_one_comes_next_and_then_any() {
        assert_eq!(letters(["w-0", "w-1", "w-2", "w-3", "7"]), ["W", "w", "A", "B", "C"]);
    }

    #[test]
    fn a_mark_is_kept_and_its_colour_follows_from_the_letter() {
        let (mut early, mut late) = (Marks::default(), Marks::default());
        let [ada, ivan] = ["ada", "ivan"].map(|name| name.parse::<MemberId>().unwrap());
        let mark = early.of(&ivan);
        late.of(&ada);
        assert_eq!((&late.of(&ivan), &early.of(&ivan)), (&mark, &mark));
        assert_eq!(mark, Mark { letter: "I".into(), colour: 0, pattern: 1 });
    }

    #[test]
    fn more_members_than_letters_get_numbers() {
        let names: Vec<String> = (0..54).map(|number| format!("m{number}")).collect();
        let letters = letters(names.iter().map(String::as_str));
        assert_eq!((&*letters[0], &*letters[51], &*letters[52], &*letters[53]), ("M", "z", "A1", "B1"));
    }
}
