//! The board, told by hand what was seen.

use std::sync::Arc;

use serde_json::Value;
use tenure::cluster::{HoldingView, MemberStatus, MemberView, Survey};
use tenure::{Epoch, MemberId, ShardId};
use tenure_core::ids::{Incarnation, Line, Lineage};
use tenure_core::record::{FORMAT, Formation, Meta};

use super::{Board, Extras, PictureBase, Seen};
use crate::json::StreamEvent;
use crate::view::{Blind, Can, End, MemberState, SightState, StorePlace, Turn};

fn id(name: &str) -> MemberId {
    name.parse().unwrap()
}

fn board() -> Board {
    let store = StorePlace { kind: "memory", address: "memory".into() };
    Board::new(0, PictureBase { cluster: "c".into(), store, can: Can::default() })
}

fn meta(lineage: u128) -> Meta {
    Meta {
        v: FORMAT,
        lineage: Lineage(lineage),
        state: Formation::Ready,
        shards: 2,
        page_size: 64,
        ttl_max_ms: 4000,
        placement: "rendezvous".into(),
        plan_version: 1,
        spread_zones: false,
        extra: tenure_core::record::Unknown::default(),
    }
}

fn member(name: &str, state: MemberStatus, seq: u64) -> MemberView {
    MemberView {
        id: id(name),
        incarnation: None,
        state,
        by: None,
        drained: false,
        seq,
        renewed_ago_ms: 0,
        ttl_ms: 1000,
        weight: 1,
        address: Some("10.1.2.3:80".into()),
        zone: None,
        version: String::new(),
        holds: Vec::new(),
        stuck: Vec::new(),
        failing: Vec::new(),
    }
}

fn holding(shard: u32, owner: Option<&str>, epoch: u64) -> HoldingView {
    let owner = owner.map(id);
    HoldingView {
        shard: ShardId(shard),
        owner,
        epoch: Epoch(epoch),
        heir: None,
        since_ms: Some(5),
        step: None,
        why: None,
    }
}

fn seen(members: Vec<MemberView>, holdings: Vec<HoldingView>) -> Seen {
    let unowned = holdings.iter().filter(|view| view.owner.is_none()).map(|view| view.shard).collect();
    let survey = Survey { shards: 2, members, holdings, unowned, problems: Vec::new() };
    Seen { meta: meta(1), survey: Arc::new(survey) }
}

/// Two members, one shard each.
fn calm(seq: u64) -> Seen {
    let members = vec![member("a", MemberStatus::Active, seq), member("b", MemberStatus::Active, seq)];
    seen(members, vec![holding(0, Some("a"), 1), holding(1, Some("b"), 1)])
}

fn names(events: &[StreamEvent]) -> Vec<&'static str> {
    events.iter().map(|event| event.name).collect()
}

fn data(events: &[StreamEvent], name: &str) -> Value {
    serde_json::from_str(&events.iter().find(|event| event.name == name).unwrap().data).unwrap()
}

#[test]
fn the_first_look_is_a_picture_and_one_that_saw_the_same_is_nothing() {
    let mut board = board();
    assert_eq!(names(&board.saw(1000, calm(1), Extras::default())), ["picture"]);
    assert_eq!(names(&board.saw(1100, calm(1), Extras::default())), Vec::<&str>::new());
    assert_eq!(board.sight_state(), SightState::Seen);
}

#[test]
fn a_renewal_is_told_of_its_member_alone_and_measured() {
    let mut board = board();
    board.saw(1000, calm(1), Extras::default());
    let mut later = calm(1);
    Arc::get_mut(&mut later.survey).unwrap().members[1].seq = 2;
    let events = board.saw(1400, later, Extras::default());
    assert_eq!(names(&events), ["members"]);
    let told = data(&events, "members");
    assert_eq!((told["members"].as_array().unwrap().len(), &told["members"][0]["id"]), (1, &"b".into()));
    let health = board.health(1400, 0, None);
    assert_eq!((health.points.left_ms_min[0], health.points.late[0]), (Some(600), 0));
}

#[test]
fn a_renewal_after_most_of_the_lease_is_late() {
    let mut board = board();
    board.saw(1000, calm(1), Extras::default());
    board.saw(1700, calm(2), Extras::default());
    assert_eq!(board.health(1700, 0, None).points.late, [2]);
}

#[test]
fn only_cells_that_changed_are_told() {
    let mut board = board();
    board.saw(1000, calm(1), Extras::default());
    let members = vec![member("a", MemberStatus::Active, 1), member("b", MemberStatus::Active, 1)];
    let next = seen(members, vec![holding(0, Some("a"), 1), holding(1, Some("a"), 2)]);
    let events = board.saw(2000, next, Extras::default());
    let cells = data(&events, "cells");
    assert_eq!(
        (&cells["shard"], &cells["owner"], &cells["epoch"]),
        (&vec![1].into(), &vec![0].into(), &vec![2].into())
    );
    let moves = data(&events, "moves");
    assert_eq!(moves["end"], serde_json::json!(["moved", null]));
    let picture = board.picture(2000);
    assert_eq!(picture.shards.owner, [0, 0]);
}

#[test]
fn a_gap_is_counted_as_seen_and_at_most_since_the_last_sign() {
    let mut board = board();
    board.saw(1000, calm(1), Extras::default());
    board.saw(1300, calm(1), Extras::default());
    let dead = || {
        let gone = MemberView { by: Some(id("a")), ..member("b", MemberStatus::Gone, 1) };
        vec![member("a", MemberStatus::Active, 1), gone]
    };
    let vacant = seen(dead(), vec![holding(0, Some("a"), 1), holding(1, None, 1)]);
    board.saw(1500, vacant, Extras::default());
    let taken = seen(dead(), vec![holding(0, Some("a"), 1), holding(1, Some("a"), 2)]);
    board.saw(1600, taken, Extras::default());
    let tenures = board.timeline(1600, 0, 9999).tenures;
    assert_eq!((tenures.shard, tenures.epoch), (vec![0, 1, 1], vec![1, 1, 2]));
    assert_eq!(tenures.end, [None, Some(End::Died), None]);
    assert_eq!(tenures.gap_ms[2], Some(100));
    assert_eq!(tenures.gap_max_ms[2], Some(600), "since the last renewal of the dead one, at 1000");
    let health = board.health(1600, 0, None);
    assert_eq!((health.gaps.proof.seen.max_ms, health.gaps.proof.most.max_ms), (Some(100), Some(600)));
    assert_eq!((health.gaps.moves.most.count, health.gaps.silence.most.count), (0, 0));
    assert_eq!((health.points.losses[0], health.points.unowned_max[0]), (1, 1));
}

/// Shard 1 is taken from `b` in the state that it ended in, and given to `a` some time later.
fn taken_over(board: &mut Board, at_ms: u64, epoch: u64, ended: &MemberView) {
    let members = || vec![member("a", MemberStatus::Active, 1), ended.clone()];
    board.saw(
        at_ms,
        seen(members(), vec![holding(0, Some("a"), 1), holding(1, None, epoch)]),
        Extras::default(),
    );
    let taken = seen(members(), vec![holding(0, Some("a"), 1), holding(1, Some("a"), epoch + 1)]);
    board.saw(at_ms + 10, taken, Extras::default());
}

#[test]
fn what_followed_silence_is_not_hidden_among_planned_moves() {
    let mut board = board();
    board.saw(1000, calm(1), Extras::default());
    for (epoch, at_ms) in [(1, 2000), (3, 3000), (5, 4000)] {
        taken_over(&mut board, at_ms, epoch, &member("b", MemberStatus::Active, 1));
        let back = seen(
            vec![member("a", MemberStatus::Active, 1), member("b", MemberStatus::Active, 1)],
            vec![holding(0, Some("a"), 1), holding(1, Some("b"), epoch + 2)],
        );
        board.saw(at_ms + 990, back, Extras::default());
    }
    taken_over(
        &mut board,
        7090,
        7,
        &MemberView { by: Some(id("a")), ..member("b", MemberStatus::Deposed, 1) },
    );
    let health = board.health(7100, 0, None);
    assert_eq!((health.gaps.moves.most.count, health.gaps.silence.most.count), (6, 1));
    assert_eq!(health.gaps.silence.most.max_ms, Some(6100), "since its last renewal, at 1000");
    assert_eq!(health.gaps.proof.most.count, 0);
    assert_eq!(health.points.gap_ms_silence, [None, Some(6100)]);
}

#[test]
fn what_became_of_members_is_told_and_remembered_for_whoever_comes_late() {
    let mut board = board();
    board.saw(1000, calm(1), Extras::default());
    let silent = seen(
        vec![member("a", MemberStatus::Active, 1), member("b", MemberStatus::Silent, 1)],
        vec![holding(0, Some("a"), 1), holding(1, Some("b"), 1)],
    );
    let events = board.saw(3000, silent.clone(), Extras::default());
    assert_eq!(names(&events), ["members", "turns"]);
    let expected = Turn {
        at_ms: 3000,
        member: "b".into(),
        from: Some(MemberState::Active),
        to: MemberState::Silent,
        anew: false,
        by: None,
    };
    assert_eq!(board.saw(3100, silent, Extras::default()), []);
    assert_eq!(board.timeline(3200, 0, 9999).turns, [expected]);
}

#[test]
fn a_member_that_begins_a_new_life_takes_a_turn_although_its_state_is_the_same() {
    let life = |term| Incarnation { line: Line(7), term };
    let looked = |term| {
        let member = MemberView { incarnation: Some(life(term)), ..member("a", MemberStatus::Active, 1) };
        seen(vec![member], vec![holding(0, Some("a"), 1), holding(1, None, 0)])
    };
    let mut board = board();
    board.saw(1000, looked(1), Extras::default());
    board.saw(1500, looked(2), Extras::default());
    let turns = board.timeline(2000, 0, 9999).turns;
    assert_eq!((turns.len(), turns[0].anew, turns[0].to), (1, true, MemberState::Active));
}

#[test]
fn a_tenure_from_before_the_first_look_began_when_the_ledger_says() {
    let mut board = board();
    board.saw(1000, calm(1), Extras::default());
    let tenures = board.timeline(1000, 0, 9999).tenures;
    assert_eq!((tenures.from_ms, tenures.gap_ms), (vec![5, 5], vec![None, None]));
}

#[test]
fn a_page_that_cannot_be_read_hides_owners_and_ends_nothing() {
    let mut board = board();
    board.saw(1000, calm(1), Extras::default());
    let half = seen(
        vec![member("a", MemberStatus::Active, 1), member("b", MemberStatus::Active, 1)],
        vec![holding(0, Some("a"), 1)],
    );
    let events = board.saw(1100, half, Extras::default());
    assert_eq!(data(&events, "cells")["owner"], serde_json::json!([-2]));
    board.saw(1200, calm(1), Extras::default());
    let tenures = board.timeline(1200, 0, 9999).tenures;
    assert_eq!(tenures.to_ms, [None, None]);
}

#[test]
fn a_store_that_is_away_is_told_once_and_its_return_too() {
    let mut board = board();
    board.saw(1000, calm(1), Extras::default());
    assert_eq!(names(&board.away(2000, "no route".into())), ["sight"]);
    assert!(board.away(2100, "no route".into()).is_empty());
    let picture = board.picture(2200);
    assert_eq!(
        (picture.sight.state, picture.sight.since_ms, picture.sight.seen_ms),
        (SightState::Away, 2000, Some(1000))
    );
    assert_eq!(names(&board.saw(3000, calm(1), Extras::default())), ["sight"]);
    assert_eq!(board.timeline(3000, 0, 9999).blind, [Blind { from_ms: 1000, to_ms: Some(3000) }]);
}

#[test]
fn a_cluster_that_was_founded_anew_is_a_new_picture() {
    let mut board = board();
    board.saw(1000, calm(1), Extras::default());
    let anew = Seen { meta: meta(2), ..calm(1) };
    let events = board.saw(2000, anew, Extras::default());
    assert_eq!(names(&events), ["picture"]);
    assert_eq!(data(&events, "picture")["seq"], events[0].seq.unwrap());
}

#[test]
fn a_member_whose_record_was_removed_keeps_its_place() {
    let mut board = board();
    board.saw(1000, calm(1), Extras::default());
    let alone = seen(
        vec![member("b", MemberStatus::Active, 1)],
        vec![holding(0, Some("b"), 2), holding(1, Some("b"), 1)],
    );
    board.saw(2000, alone, Extras::default());
    let members = board.picture(2000).members;
    assert_eq!((members[0].state, members[0].id.as_str()), (MemberState::Forgotten, "a"));
    assert_eq!((members[1].index, members[1].state), (1, MemberState::Active));
    assert_eq!(board.timeline(2000, 0, 9999).tenures.end, [Some(End::Lost), None, None]);
}

#[test]
fn load_is_one_where_shares_are_fair() {
    let mut board = board();
    let heavy =
        MemberView { weight: 3, holds: vec![ShardId(0), ShardId(1)], ..member("a", MemberStatus::Active, 1) };
    let light = member("b", MemberStatus::Active, 1);
    let drained = member("c", MemberStatus::Drained, 1);
    let seen = seen(vec![heavy, light, drained], vec![holding(0, Some("a"), 1), holding(1, Some("a"), 1)]);
    board.saw(1000, seen, Extras::default());
    let loads: Vec<Option<f64>> = board.picture(1000).members.iter().map(|member| member.load).collect();
    assert_eq!(loads, [Some(1.333), Some(0.0), None]);
}

#[test]
fn ten_thousand_shards_are_a_small_picture() {
    let mut board = board();
    let mut many = calm(1);
    let holdings: Vec<HoldingView> = (0..10_000)
        .map(|shard| HoldingView {
            why: Some("from b: balance".into()),
            since_ms: Some(1_794_738_476_424),
            ..holding(shard, Some("a"), 1)
        })
        .collect();
    many.meta.shards = 10_000;
    let survey = Survey { shards: 10_000, holdings, ..Survey::clone(&many.survey) };
    many.survey = Arc::new(survey);
    board.saw(1000, many, Extras::default());
    let bytes = crate::json::json(&board.picture(1000)).len();
    assert!(bytes < 300_000, "{bytes}");
}
