//! The others, read by read: who is silent, who is closed, and what an old read may say.

use std::collections::BTreeSet;
use std::time::Duration;

use super::{Roster, Trust};
use crate::Rules;
use crate::ids::{Epoch, Incarnation, Life, Line, MemberId, Process, ShardId};
use crate::message::{Reply, Versioned};
use crate::moment::{Moment, Timing};
use crate::record::{MemberRecord, MemberState, Version, samples};

fn at(ms: u64) -> Moment {
    Moment::from_nanos((1_000_000 + ms) * 1_000_000)
}

fn timing() -> Timing {
    Timing::for_ttl(Duration::from_secs(10))
}

fn ttl_max() -> Duration {
    Duration::from_secs(20)
}

fn roster() -> Roster {
    Roster::new("me".parse().unwrap(), timing(), ttl_max(), Rules::ALL)
}

fn b() -> MemberId {
    "b".parse().unwrap()
}

fn record(term: u64, seq: u64, state: MemberState) -> MemberRecord {
    MemberRecord { line: Line(1), term, process: Process(2), seq, state, ..samples::member() }
}

fn active(seq: u64) -> MemberRecord {
    record(1, seq, MemberState::Active)
}

fn life(line: u128, term: u64) -> Life {
    Life::new(b(), Incarnation { line: Line(line), term })
}

fn versioned(version: &str, record: &MemberRecord) -> Versioned {
    Versioned { version: Version::new(version), value: record.encode() }
}

fn list(roster: &mut Roster, ms: u64, version: &str, record: &MemberRecord) {
    let unreadable = roster.listed(at(ms), at(ms), vec![(b(), versioned(version, record))]);
    assert_eq!(unreadable, []);
}

fn silent_since(roster: &Roster) -> Option<u64> {
    let silence = timing().silence(timing().ttl);
    roster.silent_at(&b()).map(|at_| (at_ - silence).as_nanos() / 1_000_000 - 1_000_000)
}

#[test]
fn silence_counts_from_when_the_reply_was_here() {
    let mut roster = roster();
    roster.listed(at(500), at(100), vec![(b(), versioned("1", &active(1)))]);
    assert_eq!(silent_since(&roster), Some(500));
}

#[test]
fn a_renewal_starts_the_count_anew() {
    let mut roster = roster();
    list(&mut roster, 0, "1", &active(1));
    list(&mut roster, 1_000, "1", &active(1));
    assert_eq!(silent_since(&roster), Some(0));
    list(&mut roster, 2_000, "2", &active(2));
    assert_eq!(silent_since(&roster), Some(2_000));
}

#[test]
fn a_gap_in_our_watching_starts_the_count_anew() {
    let mut roster = roster();
    list(&mut roster, 0, "1", &active(1));
    list(&mut roster, 3_334, "1", &active(1));
    assert_eq!(silent_since(&roster), Some(3_334), "the gap is longer than ttl / 3");
    list(&mut roster, 6_667, "1", &active(1));
    assert_eq!(silent_since(&roster), Some(3_334), "this one is not");
}

#[test]
fn a_record_that_was_written_anew_and_says_the_same_starts_the_count_anew() {
    let mut roster = roster();
    list(&mut roster, 0, "1", &active(1));
    list(&mut roster, 2_000, "3", &active(1));
    assert_eq!(
        silent_since(&roster),
        Some(2_000),
        "there may have been a second seq, which the store forgot"
    );
    assert_eq!(roster.entry(&b()).unwrap().trust(at(2_000)), Trust::Unproven, "that renews nothing");
}

#[test]
fn an_operators_wish_in_a_silent_record_leaves_the_count_as_it_was() {
    let mut roster = roster();
    list(&mut roster, 0, "1", &active(1));
    list(&mut roster, 2_000, "2", &MemberRecord { drained: true, ..active(1) });
    assert_eq!(silent_since(&roster), Some(0));
}

#[test]
fn whoever_cannot_renew_does_not_judge() {
    let mut roster = roster();
    list(&mut roster, 0, "1", &active(1));
    roster.mistrust(at(900));
    assert_eq!(silent_since(&roster), Some(900));
}

#[test]
fn closed_is_the_same_term_ended_or_a_greater_one() {
    let mut roster = roster();
    list(&mut roster, 0, "1", &record(3, 1, MemberState::Active));
    assert!(roster.is_closed(&life(1, 2)), "an earlier life of the line");
    assert!(!roster.is_closed(&life(1, 3)));
    assert!(!roster.is_closed(&life(1, 4)), "a smaller term is an old read");
    assert!(!roster.is_closed(&life(9, 1)), "another line says nothing");
    list(&mut roster, 10, "2", &record(3, 1, MemberState::Deposed));
    assert!(roster.is_closed(&life(1, 3)));
}

#[test]
fn closed_is_for_ever_whatever_an_old_read_shows() {
    let mut roster = roster();
    list(&mut roster, 0, "2", &record(3, 5, MemberState::Gone));
    list(&mut roster, 10, "1", &record(3, 4, MemberState::Active));
    assert!(roster.is_closed(&life(1, 3)));
    assert!(roster.entry(&b()).unwrap().open().is_none(), "the old read is not believed");
}

#[test]
fn a_release_counts_for_its_life_shard_and_epoch_only() {
    let mut roster = roster();
    let mut releasing = active(1);
    releasing.released = [(ShardId(4), Epoch(7))].into_iter().collect();
    list(&mut roster, 0, "1", &releasing);
    let ended = |shard, epoch| roster.has_ended(at(0), &life(1, 1), ShardId(shard), Epoch(epoch));
    assert!(ended(4, 7));
    assert!(!ended(4, 6) && !ended(4, 8) && !ended(5, 7));
    assert!(!roster.has_ended(at(0), &life(1, 2), ShardId(4), Epoch(7)), "another life's word");
}

#[test]
fn a_deleted_record_closes_its_life_only_after_two_fresh_reads_and_the_longest_lease() {
    let mut roster = roster();
    let lost = life(1, 1);
    roster.seek(at(0), &BTreeSet::from([lost.clone()]));
    assert_eq!(roster.ask(at(0)), Some(lost.clone()));
    roster.answered(at(100), &lost, Reply::Absent);
    assert!(!roster.is_closed(&lost), "once proves nothing");
    let again = at(100) + timing().silence(ttl_max());
    assert_eq!(roster.deadline(), Some(again));
    assert_eq!(roster.ask(again - Duration::from_millis(1)), None);
    assert_eq!(roster.ask(again), Some(lost.clone()));
    roster.answered(again, &lost, Reply::Absent);
    assert!(roster.is_closed(&lost));
}

#[test]
fn a_record_that_is_back_was_never_lost() {
    let mut roster = roster();
    let lost = life(1, 1);
    roster.seek(at(0), &BTreeSet::from([lost.clone()]));
    roster.ask(at(0));
    roster.answered(at(100), &lost, Reply::Absent);
    list(&mut roster, 200, "1", &active(1));
    roster.seek(at(200), &BTreeSet::from([lost.clone()]));
    assert_eq!(roster.deadline(), None);
    assert!(!roster.is_closed(&lost));
}

#[test]
fn nothing_is_concluded_from_a_record_that_cannot_be_read() {
    let mut roster = roster();
    let garbage = Versioned { version: Version::new("1"), value: b"\xff\x00".to_vec().into() };
    assert_eq!(roster.listed(at(0), at(0), vec![(b(), garbage.clone())]).len(), 1);
    assert_eq!(roster.silent_at(&b()), None);
    roster.seek(at(0), &BTreeSet::from([life(1, 1)]));
    assert_eq!(roster.ask(at(0)), None, "it is there, whatever it says");
    assert_eq!(roster.listed(at(10), at(10), vec![(b(), garbage)]).len(), 0, "said once");
}

#[test]
fn proof_of_death_is_tied_to_the_process_behind_the_record() {
    let mut roster = roster();
    list(&mut roster, 0, "1", &active(1));
    roster.died(Process(3));
    assert!(!roster.is_dead(&b()));
    roster.died(Process(2));
    assert!(roster.is_dead(&b()));
    list(&mut roster, 10, "2", &MemberRecord { process: Process(4), ..record(2, 1, MemberState::Active) });
    assert!(!roster.is_dead(&b()), "its next life is another process");
}

#[test]
fn closing_keeps_what_it_does_not_know() {
    let mut roster = roster();
    let mut told = active(1);
    told.extra = [("mood".into(), "fine".into())].into_iter().collect();
    list(&mut roster, 0, "1", &told);
    let (version, closing) = roster.closing(&b(), MemberState::Deposed).unwrap();
    assert_eq!(version, Version::new("1"));
    assert_eq!((closing.state, closing.by), (MemberState::Deposed, Some("me".parse().unwrap())));
    assert_eq!(closing.extra, told.extra);
}

#[test]
fn an_old_listing_does_not_revive_a_closed_life_that_a_listing_left_out() {
    let mut roster = roster();
    list(&mut roster, 0, "2", &record(1, 5, MemberState::Gone));
    roster.listed(at(100), at(100), vec![]);
    list(&mut roster, 200, "1", &active(4));
    assert!(roster.entry(&b()).is_none());
    assert!(roster.is_closed(&life(1, 1)));
}

#[test]
fn an_old_listing_does_not_bring_back_a_former_term() {
    let mut roster = roster();
    list(&mut roster, 0, "2", &record(2, 1, MemberState::Active));
    roster.listed(at(100), at(100), vec![]);
    list(&mut roster, 200, "1", &active(4));
    assert!(roster.entry(&b()).is_none());
}

fn trust(roster: &Roster, ms: u64) -> Trust {
    roster.entry(&b()).unwrap().trust(at(ms))
}

#[test]
fn a_first_sight_is_no_renewal() {
    let mut roster = roster();
    list(&mut roster, 0, "1", &active(1));
    assert_eq!(trust(&roster, 0), Trust::Unproven);
    assert_eq!(trust(&roster, 4_999), Trust::Unproven);
    assert_eq!(trust(&roster, 5_000), Trust::Doubted);
    list(&mut roster, 3_000, "2", &active(2));
    assert_eq!(trust(&roster, 3_000), Trust::Renewed);
}

#[test]
fn nothing_that_fails_here_makes_another_look_renewed() {
    let mut roster = roster();
    list(&mut roster, 0, "1", &active(1));
    list(&mut roster, 1_000, "2", &active(2));
    roster.mistrust(at(5_900));
    assert_eq!(trust(&roster, 6_000), Trust::Doubted, "our own failure");
    list(&mut roster, 60_000, "2", &active(2));
    assert_eq!(trust(&roster, 60_000), Trust::Doubted, "a gap in our watching");
    assert_eq!(silent_since(&roster), Some(60_000), "which starts the count of silence anew all the same");
}

#[test]
fn a_renewal_somewhere_in_a_long_gap_is_none_of_late() {
    let mut roster = roster();
    list(&mut roster, 0, "1", &active(1));
    list(&mut roster, 60_000, "2", &active(2));
    assert_eq!(trust(&roster, 60_000), Trust::Unproven);
}

#[test]
fn a_life_that_was_not_there_a_moment_ago_has_just_begun() {
    let mut roster = roster();
    roster.listed(at(0), at(0), Vec::new());
    list(&mut roster, 1_000, "1", &active(1));
    assert_eq!(trust(&roster, 1_000), Trust::Renewed);
    roster.listed(at(2_000), at(2_000), Vec::new());
    list(&mut roster, 8_000, "1", &active(1));
    assert_eq!(trust(&roster, 8_000), Trust::Unproven, "an old listing had left it out");
}

#[test]
fn whoever_fences_a_member_renews_nothing() {
    let mut roster = roster();
    list(&mut roster, 0, "1", &active(1));
    list(&mut roster, 1_000, "2", &MemberRecord { process: Process(9), ..active(2) });
    assert_eq!(trust(&roster, 1_000), Trust::Unproven);
}

#[test]
fn a_life_that_is_closed_over_a_record_which_went_back_is_active_to_nobody() {
    let mut roster = roster();
    list(&mut roster, 0, "9", &active(9));
    list(&mut roster, 1_000, "10", &record(1, 5, MemberState::Deposed));
    assert!(roster.is_closed(&life(1, 1)));
    let shown = roster.entry(&b()).unwrap();
    assert_eq!((shown.version.as_str(), shown.readable().unwrap().state), ("10", MemberState::Deposed));
    assert_eq!(silent_since(&roster), None, "nobody deposes it once more");
}
