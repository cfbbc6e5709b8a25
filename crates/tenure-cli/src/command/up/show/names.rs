//! Names for members: short, and each with a letter of its own.

use tenure::MemberId;

const NAMES: [&str; 26] = [
    "ada", "ben", "cleo", "dan", "eve", "finn", "gus", "hana", "ivan", "june", "kim", "lou", "mia", "ned",
    "ora", "pia", "quin", "rosa", "sam", "tess", "uma", "vera", "will", "xena", "yuki", "zoe",
];

/// The name of the member that was started as number `index`, counted from 0. After Zoe comes Ada 2.
pub(crate) fn name(index: usize) -> MemberId {
    let (round, name) = (index / NAMES.len() + 1, NAMES[index % NAMES.len()]);
    let name = if round == 1 { name.to_owned() } else { format!("{name}{round}") };
    name.parse().expect("letters and digits are a name")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_is_used_before_one_is_used_again() {
        let letters: std::collections::BTreeSet<u8> =
            (0..26).map(|index| name(index).as_str().as_bytes()[0]).collect();
        assert_eq!(letters.len(), 26);
        assert_eq!((name(0).as_str(), name(27).as_str()), ("ada", "ben2"));
    }
}
