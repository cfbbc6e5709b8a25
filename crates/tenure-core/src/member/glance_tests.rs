//! What members do about a hint that names one member, whoever gave it.

use super::town::{Town, secs, two_at_rest};
use crate::ids::Line;
use crate::message::{Event, Versioned};
use crate::record::{Key, MemberRecord, MemberState, Version};

fn hint_of(name: &str) -> Event {
    Event::Hint(Some(Key::Member(name.parse().unwrap())))
}

#[test]
fn a_hint_of_a_renewal_reads_that_record_alone() {
    let mut town = two_at_rest();
    town.rewrite("b", |record| record.seq += 1);
    town.tell(0, hint_of("b"));
    assert_eq!(town.reads, ["members/b"]);
}

#[test]
fn a_hint_of_news_begins_a_whole_look() {
    let mut town = two_at_rest();
    town.drain("b", true);
    town.tell(0, hint_of("b"));
    let look = ["members/b", "ledger/00000", "ledger/00001", "ledger/00002", "members"];
    assert_eq!(town.reads[..look.len()], look);
}

#[test]
fn a_record_that_came_with_its_hint_is_not_read() {
    let mut town = two_at_rest();
    town.rewrite("b", |record| record.seq += 1);
    let heard = Event::Heard { id: "b".parse().unwrap(), record: town.store["members/b"].clone() };
    town.tell(0, heard.clone());
    town.tell(0, heard);
    assert_eq!(town.reads, Vec::<String>::new());
    town.drain("b", true);
    town.tell(0, Event::Heard { id: "b".parse().unwrap(), record: town.store["members/b"].clone() });
    assert_eq!(town.reads.last().map(String::as_str), Some("members"), "news begins a whole look");
}

#[test]
fn an_old_record_that_is_heard_late_revives_nobody() {
    let mut town = two_at_rest();
    let old = town.store["members/b"].clone();
    town.houses[1].cut_off = true;
    town.run(secs(30));
    assert_eq!(town.counts(), [12, 0]);
    town.tell(0, Event::Heard { id: "b".parse().unwrap(), record: old });
    town.run(secs(10));
    assert_eq!(town.counts(), [12, 0]);
}

#[test]
fn a_record_of_another_line_that_came_with_a_hint_is_read_before_it_is_believed() {
    let mut town = two_at_rest();
    let old = town.store["members/b"].clone();
    town.rewrite("b", |record| record.line = Line(record.line.0 + 1));
    town.run(secs(3));
    town.reads.clear();
    town.tell(0, Event::Heard { id: "b".parse().unwrap(), record: old });
    assert_eq!(town.reads, ["members/b"]);
}

/// What a stranger says of `name`.
fn rumour(town: &Town, name: &str, lie: impl FnOnce(&mut MemberRecord)) -> Event {
    let id = name.parse().unwrap();
    let stored = &town.store[&format!("members/{name}")];
    let mut record = MemberRecord::decode(&id, &stored.value, secs(3600)).unwrap();
    lie(&mut record);
    Event::Rumour { id, record: Versioned { version: Version::new("forged"), value: record.encode() } }
}

#[test]
fn a_rumour_is_a_reason_to_read_and_never_believed() {
    let mut town = two_at_rest();
    let gone = rumour(&town, "b", |record| (record.seq, record.state) = (record.seq + 1, MemberState::Gone));
    town.tell(0, gone);
    assert_eq!(town.reads, ["members/b"]);
    town.run(secs(60));
    assert_eq!(town.counts(), [6, 6]);
}

#[test]
fn a_rumour_of_a_renewal_reads_nothing() {
    let mut town = two_at_rest();
    let renewed = rumour(&town, "b", |record| record.seq += 1);
    town.tell(0, renewed);
    assert_eq!(town.reads, Vec::<String>::new());
}

#[test]
fn a_true_rumour_of_news_begins_a_whole_look() {
    let mut town = two_at_rest();
    town.drain("b", true);
    let drained = rumour(&town, "b", |_| {});
    town.tell(0, drained);
    let look = ["members/b", "ledger/00000", "ledger/00001", "ledger/00002", "members"];
    assert_eq!(town.reads[..look.len()], look);
}

#[test]
fn a_seq_that_a_stranger_made_up_hides_no_true_news() {
    let mut town = two_at_rest();
    let high = rumour(&town, "b", |record| record.seq += 1_000_000);
    town.tell(0, high);
    town.drain("b", true);
    let drained = rumour(&town, "b", |_| {});
    town.tell(0, drained);
    assert_eq!(town.reads.first().map(String::as_str), Some("members/b"));
}

#[test]
fn a_flood_of_rumours_makes_nobody_spin() {
    let mut town = two_at_rest();
    for number in 0..10_000 {
        let gone =
            rumour(&town, "b", |record| (record.seq, record.state) = (number + 9_000, MemberState::Gone));
        town.tell(0, gone);
        town.tell(0, Event::Hint(Some(Key::Member(format!("x{number}").parse().unwrap()))));
    }
    // At most ten glances and ten looks, of three pages and a listing each.
    assert!(town.reads.len() <= 10 + 10 * 4, "{} reads", town.reads.len());
    town.run(secs(60));
    assert_eq!(town.counts(), [6, 6]);
}
