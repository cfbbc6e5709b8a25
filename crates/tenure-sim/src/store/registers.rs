//! The simulated store: one linearizable register for each key, versions that never repeat, and a memory of everything
//! that was ever there, from which stale lists are served.

use bytes::Bytes;
use tenure_core::flawed::ANY_VERSION;
use tenure_core::ids::MemberId;
use tenure_core::message::{Reply, Versioned, When};
use tenure_core::record::{Key, Version};

use crate::clock::Nanos;

/// A write as the store sees it.
#[derive(Debug)]
pub(crate) struct Write<'a, K = Key> {
    pub(crate) key: &'a K,
    pub(crate) value: Option<Bytes>,
    pub(crate) when: Expect<'a>,
}

/// What must hold for a write to land.
#[derive(Debug)]
pub(crate) enum Expect<'a> {
    Absent,
    Is(&'a Version),
    Anything,
}

impl<'a> From<&'a When> for Expect<'a> {
    fn from(when: &'a When) -> Self {
        match when {
            When::Absent => Self::Absent,
            When::Is(version) if version.as_str() == ANY_VERSION => Self::Anything,
            When::Is(version) => Self::Is(version),
        }
    }
}

/// One key: what is there, and what was there since when.
#[derive(Debug)]
struct Cell<K> {
    key: K,
    past: Vec<(Nanos, Option<Versioned>)>,
}

impl<K> Cell<K> {
    fn present(&self) -> Option<&Versioned> {
        self.past.last().and_then(|(_, content)| content.as_ref())
    }

    fn at(&self, then: Nanos) -> Option<&Versioned> {
        let later = self.past.iter().rev().find(|(since, _)| *since <= then);
        later.and_then(|(_, content)| content.as_ref())
    }
}

/// How this store breaks its contract, in tests of the tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StoreFlaws {
    /// Versions count per key and begin anew after a removal.
    pub(crate) versions_repeat: bool,
    /// A write lands whatever is there.
    pub(crate) unconditional: bool,
}

/// The simulated store.
#[derive(Debug)]
pub(crate) struct Store<K = Key> {
    cells: Vec<Cell<K>>,
    given: u64,
    flaws: StoreFlaws,
}

impl<K: Clone + Eq> Store<K> {
    /// An empty store that breaks its contract as `flaws` says.
    pub(crate) fn new(flaws: StoreFlaws) -> Self {
        Self { cells: Vec::new(), given: 0, flaws }
    }

    /// What is at `key` now.
    pub(crate) fn get(&self, key: &K) -> Option<&Versioned> {
        self.cells.iter().find(|cell| cell.key == *key).and_then(Cell::present)
    }

    /// What a call that reads `key` is answered.
    pub(crate) fn read(&self, key: &K, unless: Option<&Version>) -> Reply {
        match self.get(key) {
            None => Reply::Absent,
            Some(content) if Some(&content.version) == unless => Reply::Unchanged,
            Some(content) => Reply::Found(content.clone()),
        }
    }

    /// What was at `key` at some moment.
    pub(crate) fn as_of(&self, key: &K, then: Nanos) -> Option<&Versioned> {
        self.cells.iter().find(|cell| cell.key == *key).and_then(|cell| cell.at(then))
    }

    /// When `key` was last written.
    pub(crate) fn written_at(&self, key: &K) -> Option<Nanos> {
        let cell = self.cells.iter().find(|cell| cell.key == *key)?;
        cell.past.last().map(|(at, _)| *at)
    }

    /// Carries out a write if its precondition holds: the new version, or what was there instead.
    pub(crate) fn write(&mut self, now: Nanos, write: Write<'_, K>) -> Option<Version> {
        let flaws = self.flaws;
        let number = self.next_number();
        let cell = self.cell(write.key);
        if !(flaws.unconditional || admits(cell.present(), &write.when)) {
            return None;
        }
        let version = version(cell, number, flaws);
        let content = write.value.map(|value| Versioned { version: version.clone(), value });
        cell.past.push((now, content));
        Some(version)
    }

    /// The keys that hold something.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> {
        self.cells.iter().filter(|cell| cell.present().is_some()).map(|cell| &cell.key)
    }

    /// The newest content of `key` that `good` accepts.
    pub(crate) fn newest(&self, key: &K, good: impl Fn(&Bytes) -> bool) -> Option<Bytes> {
        let cell = self.cells.iter().find(|cell| cell.key == *key)?;
        let contents = cell.past.iter().rev().filter_map(|(_, content)| content.as_ref());
        contents.map(|content| &content.value).find(|value| good(value)).cloned()
    }

    /// Everything is as it was at `then`. Whether versions that were given since are given once more.
    pub(crate) fn go_back(&mut self, now: Nanos, then: Nanos, repeat: bool) {
        for cell in &mut self.cells {
            let content = cell.at(then).cloned();
            cell.past.push((now, content));
        }
        if repeat {
            let numbers = self.cells.iter().filter_map(Cell::present);
            let number = |content: &Versioned| content.version.as_str().parse().unwrap_or(self.given);
            self.given = numbers.map(number).max().unwrap_or(self.given);
        }
    }

    fn next_number(&mut self) -> u64 {
        self.given += 1;
        self.given
    }

    fn cell(&mut self, key: &K) -> &mut Cell<K> {
        let place = match self.cells.iter().position(|cell| cell.key == *key) {
            Some(place) => place,
            None => {
                self.cells.push(Cell { key: key.clone(), past: Vec::new() });
                self.cells.len() - 1
            }
        };
        &mut self.cells[place]
    }
}

impl Store {
    /// The member records as each was at the moment that `then` gives for it.
    pub(crate) fn members(&self, mut then: impl FnMut() -> Nanos) -> Vec<(MemberId, Versioned)> {
        let mut found = Vec::with_capacity(self.cells.len());
        for cell in &self.cells {
            let Key::Member(id) = &cell.key else { continue };
            if let Some(content) = cell.at(then()) {
                found.push((id.clone(), content.clone()));
            }
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    }
}

fn admits(present: Option<&Versioned>, expect: &Expect<'_>) -> bool {
    match expect {
        Expect::Absent => present.is_none(),
        Expect::Is(version) => present.is_some_and(|content| content.version == **version),
        Expect::Anything => true,
    }
}

fn version<K>(cell: &Cell<K>, number: u64, flaws: StoreFlaws) -> Version {
    let number = if flaws.versions_repeat { since_removal(cell) } else { number };
    let mut digits = [0u8; 20];
    Version::new(decimal(number, &mut digits))
}

fn since_removal<K>(cell: &Cell<K>) -> u64 {
    cell.past.iter().rev().take_while(|(_, content)| content.is_some()).count() as u64
}

/// The number in digits, without the cost of the formatting machinery: this is the hottest allocation of a run.
fn decimal(mut number: u64, digits: &mut [u8; 20]) -> &str {
    let mut from = digits.len();
    loop {
        from -= 1;
        digits[from] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    std::str::from_utf8(&digits[from..]).expect("digits are ASCII")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put<'a>(key: &'a Key, value: &'static str, when: Expect<'a>) -> Write<'a> {
        Write { key, value: Some(Bytes::from_static(value.as_bytes())), when }
    }

    #[test]
    fn a_write_lands_only_on_the_version_it_names() {
        let mut store = Store::new(StoreFlaws::default());
        let key = Key::Page(0);
        let first = store.write(1, put(&key, "a", Expect::Absent)).unwrap();
        assert_eq!(store.write(2, put(&key, "b", Expect::Absent)), None);
        let second = store.write(3, put(&key, "b", Expect::Is(&first))).unwrap();
        assert_eq!(store.write(4, put(&key, "c", Expect::Is(&first))), None);
        assert_ne!(first, second);
        assert_eq!(store.get(&key).unwrap().value, "b");
    }

    #[test]
    fn a_version_never_comes_back_after_a_removal() {
        let mut store = Store::new(StoreFlaws::default());
        let key = Key::Page(0);
        let first = store.write(1, put(&key, "a", Expect::Absent)).unwrap();
        store.write(2, Write { key: &key, value: None, when: Expect::Is(&first) }).unwrap();
        assert_eq!(store.get(&key), None);
        assert_ne!(store.write(3, put(&key, "a", Expect::Absent)).unwrap(), first);
    }

    #[test]
    fn an_old_list_shows_what_was_there_then() {
        let mut store = Store::new(StoreFlaws::default());
        let key = Key::Member("a".parse().unwrap());
        let first = store.write(10, put(&key, "old", Expect::Absent)).unwrap();
        store.write(20, put(&key, "new", Expect::Is(&first))).unwrap();
        assert_eq!(store.members(|| 15)[0].1.value, "old");
        assert_eq!(store.members(|| 25)[0].1.value, "new");
        assert!(store.members(|| 5).is_empty());
    }

    #[test]
    fn a_store_that_goes_back_holds_what_it_held_then() {
        for repeat in [false, true] {
            let mut store = Store::new(StoreFlaws::default());
            let (old, new) = (Key::Page(0), Key::Page(1));
            let first = store.write(10, put(&old, "a", Expect::Absent)).unwrap();
            let second = store.write(20, put(&old, "b", Expect::Is(&first))).unwrap();
            store.write(20, put(&new, "c", Expect::Absent)).unwrap();
            store.go_back(30, 15, repeat);
            assert_eq!(store.get(&old).unwrap().value, "a");
            assert_eq!(store.get(&new), None);
            assert_eq!(store.write(40, put(&old, "d", Expect::Is(&second))), None);
            let version = store.write(41, put(&old, "d", Expect::Is(&first))).unwrap();
            assert_eq!(version.as_str(), if repeat { "3" } else { "5" });
        }
    }

    #[test]
    fn numbers_are_spelled_in_decimal() {
        assert_eq!(decimal(0, &mut [0; 20]), "0");
        assert_eq!(decimal(u64::MAX, &mut [0; 20]), "18446744073709551615");
    }
}
