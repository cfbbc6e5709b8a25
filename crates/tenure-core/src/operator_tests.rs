//! What people ask for, and what is written then.

use super::*;
use crate::ids::Epoch;
use crate::record::{Holding, MemberState, Meta, StepTaken};
use crate::survey::scene::{Scene, WRITTEN_MS, id, life, member, owned, promised};
use std::time::Duration;

const NOBODY: Process = Process(99);

fn written(request: &Request, name: &str) -> MemberRecord {
    let Request::Put { key, value, when } = request else { panic!("{request:?}") };
    assert_eq!((key, when), (&Key::Member(id(name)), &When::Is(Version::new("v1"))));
    MemberRecord::decode(&id(name), value, Duration::from_secs(40)).unwrap()
}

fn page_of(request: &Request, meta: &Meta) -> LedgerPage {
    let Request::Put { key: Key::Page(0), value, when } = request else { panic!("{request:?}") };
    assert_eq!(when, &When::Is(Version::new("v1")));
    LedgerPage::decode(0, value, meta).unwrap()
}

fn mover() -> Mover {
    Mover { author: id("operator"), at_ms: WRITTEN_MS + 1 }
}

fn two() -> Scene {
    Scene::new(vec![owned("a"), owned("b"), promised("a", "b"), Holding::default()])
        .with("a", member())
        .with("b", member())
}

#[test]
fn draining_changes_nothing_but_the_wish() {
    let seen = two().seen();
    let asked = drain(&seen, &id("a"), true).unwrap().unwrap();
    assert_eq!(written(&asked, "a"), MemberRecord { drained: true, ..member() });
    assert_eq!(drain(&seen, &id("a"), false), Ok(None));
    assert_eq!(drain(&seen, &id("z"), true), Err(Refusal::NoMember(id("z"))));
}

#[test]
fn draining_can_be_taken_back_even_from_a_member_that_ended() {
    let ended = MemberRecord { drained: true, state: MemberState::Gone, ..member() };
    let seen = Scene::new(vec![owned("a")]).with("a", ended.clone()).seen();
    let asked = drain(&seen, &id("a"), false).unwrap().unwrap();
    assert_eq!(written(&asked, "a"), MemberRecord { drained: false, ..ended });
}

#[test]
fn fencing_takes_the_record_and_leaves_it_an_open_lease() {
    let asked = fence(&two().seen(), &id("a"), NOBODY, true).unwrap();
    let record = written(&asked, "a");
    assert_eq!(record, MemberRecord { process: NOBODY, seq: 6, drained: true, ..member() });
    assert!(record.state.is_open(), "closed, it would let others act while the member still may");
    let returning = fence(&two().seen(), &id("a"), NOBODY, false).unwrap();
    assert!(!written(&returning, "a").drained);
}

#[test]
fn who_has_ended_is_not_fenced() {
    let ended = MemberRecord { state: MemberState::Deposed, ..member() };
    let seen = Scene::new(vec![owned("z")]).with("a", ended).seen();
    assert_eq!(fence(&seen, &id("a"), NOBODY, true), Err(Refusal::Ended(id("a"))));
}

#[test]
fn a_move_is_a_promise_that_says_who_made_it() {
    let seen = two().seen();
    let page = page_of(&promise(&seen, ShardId(0), &id("b"), &mover()).unwrap(), seen.meta());
    let holding = &page.holdings[0];
    assert_eq!((holding.owner.clone(), holding.epoch, holding.top), (Some(life("a")), Epoch(1), Epoch(2)));
    assert_eq!(
        holding.heir.as_ref().map(|heir| (heir.life.clone(), heir.epoch)),
        Some((life("b"), Epoch(2)))
    );
    assert_eq!(page.generation, two().page.generation + 1);
    assert_eq!(page.holdings[1..], two().page.holdings[1..]);
    let told = page.last_change(ShardId(0), |step| step == StepTaken::Promised).unwrap();
    assert_eq!((told.reason.as_str(), told.at_ms), ("moved by operator", Some(WRITTEN_MS + 1)));
}

#[test]
fn a_move_that_makes_no_sense_is_refused_with_the_reason() {
    let seen = two().seen();
    let refusal = |shard, to| promise(&seen, ShardId(shard), &id(to), &mover()).unwrap_err();
    assert_eq!(refusal(4, "b"), Refusal::NoShard { shard: ShardId(4), shards: 4 });
    assert_eq!(refusal(0, "z"), Refusal::NoMember(id("z")));
    assert_eq!(refusal(1, "b"), Refusal::There { shard: ShardId(1), owner: id("b") });
    assert_eq!(refusal(2, "b"), Refusal::Moving { shard: ShardId(2), heir: id("b") });
    assert_eq!(refusal(3, "b"), Refusal::Unowned(ShardId(3)));
}

#[test]
fn nothing_is_moved_to_a_member_that_is_not_active() {
    let of = |record| {
        let seen = Scene::new(vec![owned("a")]).with("a", member()).with("b", record).seen();
        promise(&seen, ShardId(0), &id("b"), &mover()).unwrap_err()
    };
    let not = |state| Refusal::NotActive { id: id("b"), state };
    assert_eq!(of(MemberRecord { drained: true, ..member() }), not(MemberStatus::Drained));
    assert_eq!(of(MemberRecord { state: MemberState::Leaving, ..member() }), not(MemberStatus::Leaving));
    assert_eq!(of(MemberRecord { at_ms: Some(WRITTEN_MS - 60_000), ..member() }), not(MemberStatus::Silent));
}

#[test]
fn nothing_is_written_that_nobody_would_read() {
    let last = Epoch(NUMBER_MAX);
    let spent = Holding { epoch: last, top: last, ..owned("a") };
    let spent_seq = MemberRecord { seq: NUMBER_MAX, ..member() };
    let seen = Scene::new(vec![spent]).with("a", spent_seq).with("b", member()).seen();
    assert!(matches!(promise(&seen, ShardId(0), &id("b"), &mover()), Err(Refusal::Spent(_))));
    assert!(matches!(fence(&seen, &id("a"), NOBODY, false), Err(Refusal::Spent(_))));
}

#[test]
fn a_promise_is_taken_back_by_asking_its_heir() {
    let seen = two().seen();
    let asked = call_off(&seen, &[ShardId(2)]).unwrap();
    let heir = written(&asked[0], "b");
    assert_eq!((asked.len(), heir.give_back.iter().collect::<Vec<_>>()), (1, vec![(ShardId(2), Epoch(2))]));
    assert_eq!(MemberRecord { give_back: member().give_back, ..heir }, member(), "nothing else changes");
}

#[test]
fn what_nobody_was_promised_is_not_taken_back() {
    let seen = two().seen();
    assert_eq!(call_off(&seen, &[ShardId(0)]), Ok(vec![]));
    assert_eq!(call_off(&seen, &[ShardId(9)]), Err(Refusal::NoShard { shard: ShardId(9), shards: 4 }));
}

#[test]
fn a_promise_is_not_taken_back_once_its_owner_has_ended() {
    let released = MemberRecord { released: [(ShardId(0), Epoch(1))].into_iter().collect(), ..member() };
    let seen = Scene::new(vec![promised("a", "b")]).with("a", released).with("b", member()).seen();
    let told = call_off(&seen, &[ShardId(0)]);
    assert_eq!(told, Err(Refusal::TooLate { shard: ShardId(0), heir: id("b") }));
    assert_eq!(promised_away(&seen, &id("a")), []);
}

#[test]
fn an_heir_that_was_asked_already_is_not_asked_again() {
    let asked = MemberRecord { give_back: [(ShardId(2), Epoch(2))].into_iter().collect(), ..member() };
    let scene = Scene::new(two().page.holdings).with("a", member()).with("b", asked);
    assert_eq!(call_off(&scene.seen(), &[ShardId(2)]), Ok(vec![]));
}

#[test]
fn a_move_by_hand_is_not_among_what_a_drain_promised() {
    assert_eq!(promised_away(&two().seen(), &id("a")), [ShardId(2)]);
    let mut moved = Scene::new(vec![owned("a")]).with("a", member()).with("b", member());
    let seen = moved.seen();
    moved.page = page_of(&promise(&seen, ShardId(0), &id("b"), &mover()).unwrap(), seen.meta());
    assert_eq!(promised_away(&moved.seen(), &id("a")), []);
}
