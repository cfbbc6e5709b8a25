//! Histories that a register can have pass, others don't.

use super::super::history::Sight;
use super::*;

/// A history drawn by hand: calls with their spans.
#[derive(Default)]
struct Drawn(History);

impl Drawn {
    fn call(mut self, effect: Effect, begun: u64, ended: impl Into<Option<u64>>) -> Self {
        self.0.calls.push(Call { effect, begun, ended: ended.into() });
        self
    }

    /// A write of content n, which gets version n.
    fn put(mut self, content: u64, over: u64, begun: u64, ended: impl Into<Option<u64>>) -> Self {
        self.0.sights.push(Sight { version: version(content).unwrap(), content: Some(content) });
        self.call(Effect::Put { content, over: version(over) }, begun, ended)
    }

    fn delete(self, named: u64, begun: u64, ended: impl Into<Option<u64>>) -> Self {
        self.call(Effect::Delete { version: version(named).unwrap() }, begun, ended)
    }

    fn get(self, shown: u64, begun: u64, ended: u64) -> Self {
        self.call(Effect::Get { shown: version(shown) }, begun, ended)
    }

    fn verdict(&self) -> Result<(), String> {
        let names = super::super::naming::names("k", &self.0).unwrap();
        check("k", &self.0, &names).map_err(|breach| breach.what)
    }
}

/// Zero is nothing.
fn version(number: u64) -> Option<Version> {
    (number > 0).then(|| Version::new(number.to_string()))
}

fn drawn() -> Drawn {
    Drawn::default()
}

#[test]
fn calls_one_after_the_other_pass() {
    let history =
        drawn().get(0, 0, 1).put(1, 0, 2, 3).put(2, 1, 4, 5).get(2, 6, 7).delete(2, 8, 9).get(0, 10, 11);
    assert_eq!(history.verdict(), Ok(()));
}

#[test]
fn a_read_beside_a_write_may_show_either() {
    for shown in [0, 1] {
        assert_eq!(drawn().put(1, 0, 0, 9).get(shown, 1, 8).verdict(), Ok(()));
    }
}

#[test]
fn two_reads_beside_a_write_may_not_go_back() {
    assert_eq!(drawn().put(1, 0, 0, 9).get(0, 1, 2).get(1, 3, 4).verdict(), Ok(()));
    let words = "a read is said to have found nothing; no order of the calls explains it: before it ended, 1 was there";
    assert_eq!(drawn().put(1, 0, 0, 9).get(1, 1, 2).get(0, 3, 4).verdict(), Err(words.into()));
}

#[test]
fn a_lost_write_is_found_by_the_next_read() {
    let history = drawn().put(1, 0, 0, 1).put(2, 1, 2, 3).get(1, 4, 5);
    assert!(history.verdict().unwrap_err().contains("a read is said to have found version 1"));
}

#[test]
fn two_winners_over_one_version_are_found() {
    let history = drawn().put(1, 0, 0, 1).put(2, 1, 2, 8).put(3, 1, 3, 9);
    assert!(history.verdict().unwrap_err().contains("a write over version 1 is said to have landed"));
}

#[test]
fn a_removal_and_a_replacement_of_one_version_are_found() {
    let history = drawn().put(1, 0, 0, 1).put(2, 1, 2, 8).delete(1, 3, 9);
    assert!(history.verdict().unwrap_err().contains("version 1 is said to have been removed"));
}

#[test]
fn a_write_without_an_answer_may_land_late_or_never() {
    let late = drawn().put(1, 0, 0, 1).put(2, 1, 2, None).get(1, 3, 4).get(2, 5, 6);
    assert_eq!(late.verdict(), Ok(()));
    let never = drawn().put(1, 0, 0, 1).put(2, 1, 2, None).put(3, 1, 3, 4).get(3, 5, 6);
    assert_eq!(never.verdict(), Ok(()));
}

#[test]
fn a_write_without_an_answer_lands_once() {
    let history = drawn().put(1, 0, 0, 1).put(2, 1, 2, None).get(2, 3, 4).get(1, 5, 6);
    assert!(history.verdict().is_err());
}

#[test]
fn a_removal_without_an_answer_may_have_taken_effect() {
    let history = drawn().put(1, 0, 0, 1).delete(1, 2, None).get(0, 3, 4).put(2, 0, 5, 6);
    assert_eq!(history.verdict(), Ok(()));
}
