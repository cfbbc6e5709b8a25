//! The lease, reply by reply: what extends it, what ends it, and what does neither.

use std::time::Duration;

use super::{Act, Keeper, Word};
use crate::config::Config;
use crate::entropy::Entropy;
use crate::ids::{Line, Process};
use crate::message::{Fault, LapseReason, Notice, Reply, Request, Versioned, When};
use crate::moment::{Moment, Timing};
use crate::record::{MemberRecord, MemberState, NUMBER_MAX, Version};

const OURS: Process = Process(7);
const STRANGER: Process = Process(8);

fn at(ms: u64) -> Moment {
    Moment::from_nanos((1_000_000 + ms) * 1_000_000)
}

fn timing() -> Timing {
    Timing::for_ttl(Duration::from_secs(10))
}

fn keeper() -> Keeper {
    let config = Config::new("a".parse().unwrap(), OURS, 8, timing());
    let mut keeper = Keeper::new(config, Entropy::new(1));
    keeper.join(at(0), Duration::from_secs(40));
    keeper
}

/// Advances, and returns the one call that is made.
fn call(keeper: &mut Keeper, ms: u64) -> Request {
    let mut out = Vec::new();
    keeper.advance(at(ms), &mut out);
    only_call(out)
}

fn only_call(acts: Vec<Act>) -> Request {
    let mut calls = acts.into_iter().filter_map(|act| match act {
        Act::Call(request) => Some(request),
        _ => None,
    });
    let first = calls.next().expect("a call");
    assert_eq!(calls.next(), None, "one call at a time");
    first
}

fn reply(keeper: &mut Keeper, ms: u64, reply: Reply) -> Vec<Act> {
    let mut out = Vec::new();
    keeper.advance(at(ms), &mut out);
    keeper.reply(at(ms), reply, &mut out);
    out
}

fn stored(version: &str) -> Reply {
    Reply::Stored(Version::new(version))
}

fn unknown() -> Reply {
    Reply::Failed(Fault::Indeterminate("timeout".into()))
}

fn record_of(request: &Request) -> MemberRecord {
    let Request::Put { value, .. } = request else { panic!("{request:?} is no write") };
    serde_json::from_slice(value).unwrap()
}

fn found(version: &str, record: &MemberRecord) -> Reply {
    Reply::Found(Versioned { version: Version::new(version), value: record.encode() })
}

fn is_get(request: &Request) -> bool {
    matches!(request, Request::Get { unless: None, .. })
}

/// A keeper that joined at 0 ms, and the record that it wrote.
fn joined() -> (Keeper, MemberRecord) {
    let mut keeper = keeper();
    assert!(is_get(&call(&mut keeper, 0)));
    let put = only_call(reply(&mut keeper, 0, Reply::Absent));
    let record = record_of(&put);
    reply(&mut keeper, 20, stored("1"));
    assert!(keeper.life().is_some());
    (keeper, record)
}

fn lapse_reason(acts: &[Act]) -> Option<&LapseReason> {
    acts.iter().find_map(|act| match act {
        Act::Lapsed(_, reason) => Some(reason),
        _ => None,
    })
}

#[test]
fn a_lease_counts_from_the_sending_not_from_the_reply() {
    let (keeper, _) = joined();
    assert_eq!(keeper.lease().valid_until(), at(0) + timing().validity(timing().ttl));
}

#[test]
fn an_unknown_write_never_extends_the_lease() {
    let (mut keeper, first) = joined();
    let until = keeper.lease().valid_until();
    call(&mut keeper, 3_334);
    let read = only_call(reply(&mut keeper, 4_600, unknown()));
    assert!(is_get(&read), "it reads before it concludes anything");
    let again = only_call(reply(&mut keeper, 4_620, found("1", &first)));
    assert_eq!(keeper.lease().valid_until(), until);
    assert_eq!(record_of(&again).seq, first.seq + 2, "every attempt has its own seq");
}

#[test]
fn a_read_that_shows_our_attempt_extends_from_its_own_sending() {
    let (mut keeper, _) = joined();
    let put = call(&mut keeper, 3_334);
    reply(&mut keeper, 4_600, unknown());
    reply(&mut keeper, 4_620, found("2", &record_of(&put)));
    assert_eq!(keeper.lease().valid_until(), at(3_334) + timing().validity(timing().ttl));
}

#[test]
fn a_conflict_for_our_own_landed_write_is_resolved_by_reading() {
    let (mut keeper, _) = joined();
    let put = call(&mut keeper, 3_334);
    let read = only_call(reply(&mut keeper, 3_350, Reply::Conflict));
    assert!(is_get(&read));
    let acts = reply(&mut keeper, 3_360, found("2", &record_of(&put)));
    assert_eq!(lapse_reason(&acts), None);
    assert_eq!(keeper.lease().valid_until(), at(3_334) + timing().validity(timing().ttl));
}

#[test]
fn a_late_reply_revives_nothing() {
    let (mut keeper, _) = joined();
    call(&mut keeper, 3_334);
    let acts = reply(&mut keeper, 9_000, stored("2"));
    assert_eq!(lapse_reason(&acts), Some(&LapseReason::Expired));
    assert!(keeper.life().is_none());
    assert!(!keeper.lease().holds(at(9_000)));
}

#[test]
fn a_record_that_is_gone_deposed_or_anothers_is_a_lapse() {
    let (_, record) = joined();
    let gone = MemberRecord { state: MemberState::Deposed, ..record.clone() };
    let later = MemberRecord { term: 2, process: STRANGER, ..record.clone() };
    let other_line = MemberRecord { line: Line(99), ..record };
    for reading in [Some(gone), Some(later), Some(other_line), None] {
        let (mut keeper, _) = joined();
        call(&mut keeper, 3_334);
        reply(&mut keeper, 3_350, Reply::Conflict);
        let shown = reading.map_or(Reply::Absent, |record| found("9", &record));
        let acts = reply(&mut keeper, 3_360, shown);
        assert_eq!(lapse_reason(&acts), Some(&LapseReason::Ousted));
        assert!(!keeper.lease().holds(at(3_360)), "the guard is closed at once");
    }
}

#[test]
fn our_own_seq_going_back_is_a_rollback() {
    let (mut keeper, first) = joined();
    call(&mut keeper, 3_334);
    reply(&mut keeper, 3_340, stored("2"));
    call(&mut keeper, 6_670);
    reply(&mut keeper, 6_680, Reply::Conflict);
    let acts = reply(&mut keeper, 6_690, found("1", &first));
    assert!(acts.iter().any(|act| matches!(act, Act::Tell(Notice::Rollback(_)))));
    assert!(keeper.life().is_none());
}

#[test]
fn a_lapsed_life_does_not_come_back_though_its_renewal_lands() {
    let (mut keeper, first) = joined();
    let renewal = record_of(&call(&mut keeper, 3_334));
    reply(&mut keeper, 4_600, unknown());
    let acts = reply(&mut keeper, 9_000, Reply::Failed(Fault::Unavailable("down".into())));
    assert_eq!(lapse_reason(&acts), Some(&LapseReason::Expired));
    keeper.join(at(9_500), Duration::from_secs(40));
    assert!(is_get(&call(&mut keeper, 9_500)));
    let rejoin = only_call(reply(&mut keeper, 9_510, found("2", &renewal)));
    let record = record_of(&rejoin);
    assert_eq!((record.line, record.term), (first.line, 2), "a new life, at once: the record is our own");
    assert!(keeper.life().is_none(), "until that has landed there is no lease");
}

#[test]
fn a_record_that_is_closed_is_replaced_by_the_next_term_at_once() {
    let (_, record) = joined();
    let gone = MemberRecord { state: MemberState::Gone, process: STRANGER, term: 4, ..record };
    let mut keeper = keeper();
    call(&mut keeper, 0);
    let put = only_call(reply(&mut keeper, 10, found("5", &gone)));
    assert_eq!((record_of(&put).line, record_of(&put).term), (gone.line, 5));
    assert!(matches!(put, Request::Put { when: When::Is(version), .. } if version.as_str() == "5"));
}

#[test]
fn a_second_process_with_our_id_waits_until_the_first_is_silent() {
    let (_, record) = joined();
    let alive = MemberRecord { process: STRANGER, ..record };
    let mut keeper = keeper();
    let mut replaced_at = None;
    for ms in (0..20_000).step_by(200) {
        let mut out = Vec::new();
        keeper.advance(at(ms), &mut out);
        if out.is_empty() {
            continue;
        }
        let acts = reply(&mut keeper, ms, found("5", &alive));
        if acts.iter().any(|act| matches!(act, Act::Call(Request::Put { .. }))) {
            replaced_at = Some(ms);
            break;
        }
    }
    let silence = timing().silence(timing().ttl).as_millis() as u64;
    assert!(replaced_at.is_some_and(|ms| ms >= silence && ms < silence + 1_000), "{replaced_at:?}");
}

#[test]
fn a_first_process_that_renews_is_never_replaced() {
    let (_, record) = joined();
    let mut keeper = keeper();
    for ms in (0..60_000).step_by(200) {
        let mut out = Vec::new();
        keeper.advance(at(ms), &mut out);
        if !out.is_empty() {
            let alive = MemberRecord { process: STRANGER, seq: ms / 3_400, ..record.clone() };
            let acts = reply(&mut keeper, ms, found("5", &alive));
            assert!(acts.iter().all(|act| !matches!(act, Act::Call(Request::Put { .. }))));
        }
    }
    assert!(keeper.is_waiting());
}

#[test]
fn proof_of_death_replaces_the_dead_at_once() {
    let (_, record) = joined();
    let dead = MemberRecord { process: STRANGER, ..record };
    let mut keeper = keeper();
    call(&mut keeper, 0);
    reply(&mut keeper, 10, found("5", &dead));
    keeper.died(at(20), STRANGER);
    assert!(is_get(&call(&mut keeper, 20)));
    let put = only_call(reply(&mut keeper, 30, found("5", &dead)));
    assert_eq!(record_of(&put).term, 2);
}

#[test]
fn a_join_whose_reply_was_lost_is_recognised_by_its_seq() {
    let mut keeper = keeper();
    call(&mut keeper, 0);
    let put = only_call(reply(&mut keeper, 10, Reply::Absent));
    assert!(is_get(&only_call(reply(&mut keeper, 1_260, unknown()))));
    assert!(keeper.life().is_none(), "nothing is known yet");
    reply(&mut keeper, 1_270, found("1", &record_of(&put)));
    assert!(keeper.life().is_some());
    assert_eq!(keeper.lease().valid_until(), at(10) + timing().validity(timing().ttl));
}

#[test]
fn a_drain_that_came_before_the_reply_to_a_join_is_kept() {
    let mut keeper = keeper();
    call(&mut keeper, 0);
    let put = only_call(reply(&mut keeper, 10, Reply::Absent));
    reply(&mut keeper, 1_260, unknown());
    let drained = MemberRecord { drained: true, ..record_of(&put) };
    reply(&mut keeper, 1_270, found("2", &drained));
    assert!(keeper.life().is_some());
    assert!(record_of(&call(&mut keeper, 3_344)).drained);
}

#[test]
fn every_attempt_to_create_draws_a_new_line() {
    let mut keeper = keeper();
    call(&mut keeper, 0);
    let first = record_of(&only_call(reply(&mut keeper, 10, Reply::Absent)));
    reply(&mut keeper, 1_260, unknown());
    let second = record_of(&only_call(reply(&mut keeper, 1_270, Reply::Absent)));
    assert_ne!(first.line, second.line);
    assert_ne!(first.seq, second.seq);
}

#[test]
fn a_record_that_cannot_be_read_leads_to_nothing() {
    let (mut keeper, _) = joined();
    call(&mut keeper, 3_334);
    reply(&mut keeper, 3_350, Reply::Conflict);
    let garbage = Versioned { version: Version::new("6"), value: b"{\"v\":1".to_vec().into() };
    let acts = reply(&mut keeper, 3_360, Reply::Found(garbage));
    assert!(matches!(acts[..], [Act::Tell(Notice::Unreadable(_))]));
    assert!(keeper.life().is_some(), "the lease goes on to its end");
}

#[test]
fn gone_is_sent_with_the_guard_closed_and_ends_it_all() {
    let (mut keeper, _) = joined();
    keeper.go(at(100));
    assert!(!keeper.lease().holds(at(100)));
    let put = call(&mut keeper, 100);
    assert_eq!(record_of(&put).state, MemberState::Gone);
    assert!(reply(&mut keeper, 110, stored("2")).contains(&Act::Gone));
    assert_eq!(keeper.deadline(), None);
}

#[test]
fn a_drain_that_comes_before_gone_outlives_it() {
    let (mut keeper, first) = joined();
    keeper.go(at(100));
    call(&mut keeper, 100);
    let drained = MemberRecord { drained: true, ..first };
    assert!(is_get(&only_call(reply(&mut keeper, 110, Reply::Conflict))));
    let gone = record_of(&only_call(reply(&mut keeper, 120, found("2", &drained))));
    assert_eq!((gone.state, gone.drained), (MemberState::Gone, true));
}

#[test]
fn a_renewal_under_way_is_not_taken_for_the_gone_that_follows() {
    let (mut keeper, _) = joined();
    call(&mut keeper, 3_334);
    keeper.go(at(3_340));
    let put = only_call(reply(&mut keeper, 3_350, stored("2")));
    assert_eq!(record_of(&put).state, MemberState::Gone);
    assert!(matches!(put, Request::Put { when: When::Is(version), .. } if version.as_str() == "2"));
}

#[test]
fn what_is_said_is_written_without_waiting_for_the_next_renewal() {
    let (mut keeper, _) = joined();
    keeper.say(Word::Leaving);
    let put = call(&mut keeper, 500);
    assert_eq!(record_of(&put).state, MemberState::Leaving);
}

#[test]
fn a_store_that_refuses_writes_is_not_hammered() {
    let (mut keeper, first) = joined();
    let mut calls = 0;
    for ms in 3_334..6_000 {
        let mut out = Vec::new();
        keeper.advance(at(ms), &mut out);
        while let Some(Act::Call(request)) = out.pop() {
            calls += 1;
            let answer = if is_get(&request) { found("1", &first) } else { Reply::Conflict };
            keeper.reply(at(ms), answer, &mut out);
            out.retain(|act| matches!(act, Act::Call(_)));
        }
    }
    assert!(calls < 40, "{calls} calls in 2.7 s");
}

#[test]
fn a_record_that_went_back_in_time_brings_no_ended_life_back() {
    let (mut keeper, first) = joined();
    keeper.lapse(LapseReason::Ousted, &mut Vec::new());
    keeper.join(at(1_000), Duration::from_secs(40));
    call(&mut keeper, 1_000);
    let second = record_of(&only_call(reply(&mut keeper, 1_010, found("1", &first))));
    reply(&mut keeper, 1_020, stored("2"));
    keeper.lapse(LapseReason::Ousted, &mut Vec::new());
    keeper.join(at(2_000), Duration::from_secs(40));
    call(&mut keeper, 2_000);
    let third = record_of(&only_call(reply(&mut keeper, 2_010, found("1b", &first))));
    assert_eq!((second.term, third.term), (2, 3));
}

fn notices(acts: &[Act]) -> Vec<&Notice> {
    acts.iter().filter_map(|act| if let Act::Tell(notice) = act { Some(notice) } else { None }).collect()
}

#[test]
fn a_conflict_that_an_operator_caused_is_no_failed_renewal() {
    let (mut keeper, first) = joined();
    call(&mut keeper, 3_334);
    let refused = reply(&mut keeper, 3_340, Reply::Conflict);
    let drained = MemberRecord { drained: true, ..first };
    let read = reply(&mut keeper, 3_350, found("2", &drained));
    assert_eq!(keeper.streak(), 0);
    let failed = |notice: &&Notice| matches!(notice, Notice::RenewalFailed { .. });
    assert_eq!(notices(&refused).into_iter().chain(notices(&read)).find(failed), None);
    assert!(record_of(&only_call(read)).drained, "it renews at once, and keeps the operator's wish");
}

#[test]
fn conflicts_in_a_row_are_not_answered_as_fast_as_the_store_makes_them() {
    let (mut keeper, first) = joined();
    call(&mut keeper, 3_334);
    reply(&mut keeper, 3_334, Reply::Conflict);
    reply(&mut keeper, 3_334, found("2", &first));
    reply(&mut keeper, 3_334, Reply::Conflict);
    assert_eq!(keeper.deadline(), Some(at(3_334) + timing().acquire_retry_interval));
}

/// A keeper whose first join is under way, and the record that it writes.
fn applying() -> (Keeper, MemberRecord) {
    let mut keeper = keeper();
    call(&mut keeper, 0);
    let put = only_call(reply(&mut keeper, 0, Reply::Absent));
    (keeper, record_of(&put))
}

fn withdraw(keeper: &mut Keeper, ms: u64) -> Vec<Act> {
    let mut out = Vec::new();
    keeper.withdraw(at(ms), &mut out);
    out
}

#[test]
fn whoever_is_told_to_go_before_it_wrote_anything_goes_at_once() {
    let mut keeper = keeper();
    call(&mut keeper, 0);
    assert_eq!(withdraw(&mut keeper, 1), [Act::Gone]);
}

#[test]
fn a_join_under_way_is_awaited_and_taken_back() {
    let (mut keeper, join) = applying();
    assert_eq!(withdraw(&mut keeper, 10), [], "what is under way may land");
    let gone = record_of(&only_call(reply(&mut keeper, 20, stored("1"))));
    assert_eq!((gone.state, gone.incarnation()), (MemberState::Gone, join.incarnation()));
    assert!(!keeper.lease().holds(at(20)), "it never was a lease");
    assert!(reply(&mut keeper, 30, stored("2")).contains(&Act::Gone));
}

#[test]
fn a_join_that_may_land_later_is_kept_from_landing() {
    let (mut keeper, join) = applying();
    withdraw(&mut keeper, 10);
    assert!(is_get(&only_call(reply(&mut keeper, 1_000, unknown()))));
    let put = only_call(reply(&mut keeper, 1_010, Reply::Absent));
    let Request::Put { when, .. } = &put else { panic!("{put:?} is no write") };
    assert_eq!(*when, When::Absent, "the very condition of the join");
    assert_eq!(
        (record_of(&put).state, record_of(&put).incarnation()),
        (MemberState::Gone, join.incarnation())
    );
    assert!(reply(&mut keeper, 1_020, stored("1")).contains(&Act::Gone));
}

#[test]
fn a_join_that_can_land_no_more_needs_no_word() {
    let (mut keeper, join) = applying();
    withdraw(&mut keeper, 10);
    reply(&mut keeper, 1_000, unknown());
    let stranger = MemberRecord { process: STRANGER, line: Line(9), ..join };
    assert_eq!(reply(&mut keeper, 1_010, found("7", &stranger)), [Act::Gone]);
}

#[test]
fn a_join_that_landed_too_late_is_taken_back_too() {
    let (mut keeper, join) = applying();
    reply(&mut keeper, 9_000, stored("1"));
    withdraw(&mut keeper, 9_010);
    let gone = record_of(&only_call(reply(&mut keeper, 9_020, found("1", &join))));
    assert_eq!((gone.state, gone.incarnation()), (MemberState::Gone, join.incarnation()));
}

#[test]
fn going_ends_though_the_own_record_can_not_be_understood() {
    let (mut keeper, _) = joined();
    keeper.go(at(100));
    call(&mut keeper, 100);
    let mut acts = reply(&mut keeper, 200, Reply::Conflict);
    let mut reads = 0;
    let garbage = || Versioned { version: Version::new("2"), value: "no record".into() };
    while !acts.contains(&Act::Gone) {
        reads += 1;
        assert!(reads < 10, "it never ends");
        keeper.advance(at(200 + 1_000 * reads), &mut acts);
        acts = reply(&mut keeper, 200 + 1_000 * reads, Reply::Found(garbage()));
    }
    assert_eq!(reads, 4, "after one write and four reads");
}

#[test]
fn a_record_with_the_last_term_is_not_followed_by_one_that_nobody_reads() {
    let (_, record) = joined();
    let last = MemberRecord { term: NUMBER_MAX, state: MemberState::Gone, ..record };
    let mut keeper = keeper();
    call(&mut keeper, 0);
    let acts = reply(&mut keeper, 0, found("1", &last));
    assert!(matches!(&acts[..], [Act::Tell(Notice::Spent(_))]), "{acts:?}");
}

#[test]
fn a_strangers_record_that_was_written_anew_starts_the_wait_anew_though_it_says_the_same() {
    let (_, record) = joined();
    let stranger = MemberRecord { process: STRANGER, ..record };
    let mut keeper = keeper();
    call(&mut keeper, 0);
    reply(&mut keeper, 0, found("1", &stranger));
    for (ms, version) in [(3_000, "1"), (6_000, "2"), (9_000, "2"), (12_000, "2")] {
        assert!(is_get(&call(&mut keeper, ms)));
        reply(&mut keeper, ms, found(version, &stranger));
        assert!(keeper.is_waiting(), "at {ms} ms");
    }
}
