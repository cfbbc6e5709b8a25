//! What the show makes of what happens: states, words and refusals.

use std::time::Duration;

use tenure::MemberId;
use tenure_core::ids::{Incarnation, Line};
use tenure_dashboard::view::{Kind, Mark, Marks};

use super::super::cluster_view::{ClusterView, Lease, Seat, Standing};
use super::*;

const TTL: Duration = Duration::from_secs(2);

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

fn show(members: usize) -> Show {
    let mut show = Show::new(4, TTL, true);
    (0..members).for_each(|number| show.handle(Happening::Started(name(number))));
    show.log.take_fresh();
    show
}

fn lease(standing: Standing, term: u64) -> Lease {
    Lease { standing, life: Some(Incarnation { line: Line(7), term }), age: Duration::ZERO }
}

fn saw(show: &mut Show, id: &MemberId, lease: Lease) {
    let leases = [(id.clone(), lease)].into();
    show.handle(Happening::Saw(ClusterView { leases, ..ClusterView::default() }));
}

fn seat(show: &mut Show, owners: [usize; 4]) {
    let seats = owners.map(|owner| Seat::Held(name(owner))).to_vec();
    show.handle(Happening::Saw(ClusterView { seats, ..ClusterView::default() }));
}

fn said(show: &mut Show) -> Vec<String> {
    show.log.take_fresh().into_iter().map(|entry| entry.text).collect()
}

#[test]
fn a_lease_drains_from_its_renewal_and_is_filled_by_the_next() {
    let mut show = show(1);
    let mut at = |now: f64, age: f64| {
        show.advance(seconds(now));
        saw(&mut show, &name(0), Lease { age: seconds(age), ..lease(Standing::Active, 1) });
        show.advance(seconds(now + 0.25));
        show.members[0].lease_left(show.now, TTL)
    };
    assert_eq!(at(1.0, 0.0), Some(seconds(1.75)));
    assert_eq!(at(1.5, 0.5), Some(seconds(1.25)));
    assert_eq!(at(2.0, 0.0), Some(seconds(1.75)));
    assert_eq!(at(9.0, 7.0), Some(Duration::ZERO));
}

#[test]
fn a_member_is_told_to_join_once_and_again_in_its_next_life() {
    let mut show = show(1);
    let ada = name(0);
    for term in [1, 1, 2, 2] {
        saw(&mut show, &ada, lease(Standing::Active, term));
    }
    assert_eq!(said(&mut show), ["ada has joined", "ada has joined again, as a new life"]);
}

#[test]
fn a_frozen_member_is_frozen_until_it_is_deposed_and_then_both() {
    let mut show = show(1);
    let ada = name(0);
    saw(&mut show, &ada, lease(Standing::Active, 1));
    assert_eq!(show.members[0].state(), "active");
    show.handle(Happening::Struck(ada.clone(), Blow::Freeze));
    assert_eq!(show.members[0].state(), "frozen");
    saw(&mut show, &ada, lease(Standing::Deposed, 1));
    assert_eq!(show.members[0].state(), "frozen, deposed");
    show.handle(Happening::Struck(ada, Blow::Thaw));
    assert_eq!(show.members[0].state(), "joining again");
    assert!(
        said(&mut show).contains(&"ada was silent for its whole lease: deposed by the others".to_owned())
    );
}

#[test]
fn one_that_is_gone_left_if_it_lives_and_is_proven_dead_if_not() {
    let mut show = show(2);
    (0..2).for_each(|number| saw(&mut show, &name(number), lease(Standing::Active, 1)));
    show.handle(Happening::Struck(name(1), Blow::Kill));
    show.log.take_fresh();
    (0..2).for_each(|number| saw(&mut show, &name(number), lease(Standing::Gone, 1)));
    assert_eq!(said(&mut show), ["ada has handed everything on", "ben is proven dead by the others"]);
}

#[test]
fn shards_of_one_that_is_frozen_or_dead_are_not_served() {
    let mut show = show(2);
    seat(&mut show, [0, 0, 1, 1]);
    assert!(show.is_settled());
    show.handle(Happening::Struck(name(1), Blow::Freeze));
    assert_eq!((show.unserved(), show.is_settled()), (2, false));
    show.handle(Happening::Struck(name(0), Blow::Kill));
    assert_eq!(show.unserved(), 4);
}

#[test]
fn a_shard_that_changed_hands_is_fresh_for_a_while() {
    let mut show = show(2);
    seat(&mut show, [0, 0, 0, 0]);
    show.advance(seconds(5.0));
    seat(&mut show, [0, 1, 0, 0]);
    assert_eq!([0, 1].map(|shard| show.is_fresh(shard)), [false, true]);
    show.advance(seconds(7.0));
    assert!(!show.is_fresh(1));
}

#[test]
fn keys_select_and_strike_the_selected_one() {
    let mut show = show(3);
    assert_eq!(show.press(Press::Down), None);
    assert_eq!(show.press(Press::Strike(Blow::Kill)), Some(Order::Strike(name(1), Blow::Kill)));
    show.press(Press::Select(3));
    show.press(Press::Down);
    show.press(Press::Select(9));
    assert_eq!(show.press(Press::Strike(Blow::Stop)), Some(Order::Strike(name(2), Blow::Stop)));
    show.press(Press::Select(1));
    show.press(Press::Up);
    assert_eq!(show.press(Press::Strike(Blow::Freeze)), Some(Order::Strike(name(0), Blow::Freeze)));
    assert_eq!((show.press(Press::Add), show.press(Press::Quit)), (Some(Order::Add), Some(Order::Quit)));
}

#[test]
fn what_makes_no_sense_is_refused_with_the_reason() {
    let mut show = show(1);
    assert_eq!(show.press(Press::Strike(Blow::Thaw)), None);
    show.handle(Happening::Struck(name(0), Blow::Freeze));
    assert_eq!(show.press(Press::Strike(Blow::Stop)), None);
    show.handle(Happening::Ended(name(0), End::Killed));
    assert_eq!(show.press(Press::Strike(Blow::Kill)), None);
    let expected = [
        "ada is not frozen",
        "ada frozen (SIGSTOP)",
        "ada is frozen and can't leave; thaw it first with t",
        "ada has ended; add another with a",
    ];
    assert_eq!(said(&mut show), expected);
}

#[test]
fn without_keys_only_quitting_is_left() {
    let mut show = Show::new(4, TTL, false);
    show.handle(Happening::Started(name(0)));
    assert_eq!(show.press(Press::Strike(Blow::Kill)), None);
    assert_eq!(show.press(Press::Add), None);
    assert_eq!(show.press(Press::Quit), Some(Order::Quit));
}

#[test]
fn the_dead_stay_in_view_for_a_while_and_then_nobody_is_selected_in_their_place() {
    let mut show = show(2);
    show.press(Press::Down);
    show.handle(Happening::Ended(name(1), End::Left));
    show.advance(seconds(5.0));
    assert_eq!(show.members.len(), 2);
    show.advance(seconds(11.0));
    assert_eq!((show.members.len(), &show.selected), (1, &None));
    said(&mut show);
    assert_eq!(show.press(Press::Strike(Blow::Kill)), None);
    assert_eq!(said(&mut show), ["nobody is selected; choose one with the arrows or its number"]);
    show.press(Press::Up);
    assert_eq!(show.selected, Some(name(0)));
}

#[test]
fn the_selected_one_stays_selected_when_the_row_above_it_vanishes() {
    let mut show = show(3);
    show.press(Press::Select(2));
    show.handle(Happening::Ended(name(0), End::Killed));
    show.advance(seconds(11.0));
    assert_eq!((show.members.len(), &show.selected), (2, &Some(name(1))));
    assert_eq!(show.press(Press::Strike(Blow::Kill)), Some(Order::Strike(name(1), Blow::Kill)));
}

#[test]
fn a_number_selects_the_same_one_for_as_long_as_it_is_in_view_and_is_then_given_anew() {
    let mut show = show(3);
    show.handle(Happening::Ended(name(0), End::Killed));
    show.advance(seconds(11.0));
    show.press(Press::Select(3));
    assert_eq!(show.selected, Some(name(2)));
    show.press(Press::Select(1));
    assert_eq!(show.selected, Some(name(2)), "nobody has this number now");
    show.handle(Happening::Started(name(3)));
    show.press(Press::Select(1));
    assert_eq!(show.selected, Some(name(3)));
    let keys: Vec<_> = show.members.iter().map(|member| (member.key, member.id.clone())).collect();
    assert_eq!(keys, [(1, name(3)), (2, name(1)), (3, name(2))]);
}

#[test]
fn a_life_that_was_killed_is_closed_by_proof_and_one_that_was_deposed_by_silence() {
    let mut show = show(2);
    (0..2).for_each(|number| saw(&mut show, &name(number), lease(Standing::Active, 1)));
    show.handle(Happening::Struck(name(0), Blow::Kill));
    show.handle(Happening::Ended(name(0), End::Killed));
    saw(&mut show, &name(0), lease(Standing::Gone, 1));
    show.advance(seconds(2.0));
    for _ in 0..2 {
        saw(&mut show, &name(1), lease(Standing::Deposed, 1));
    }
    saw(&mut show, &name(1), lease(Standing::Active, 2));
    saw(&mut show, &name(1), lease(Standing::Active, 3));
    let closed: Vec<_> = show.closings.iter().map(|one| (one.member.clone(), one.at, one.how)).collect();
    let expected = [
        (name(0), seconds(0.0), Kind::Proof),
        (name(1), seconds(2.0), Kind::Silence),
        (name(1), seconds(2.0), Kind::Silence),
    ];
    assert_eq!(closed, expected, "a life that was replaced unseen was over, too");
}

#[test]
fn letters_are_those_of_the_page_and_are_never_given_to_another() {
    let mut show = Show::new(4, TTL, true);
    for number in 0..27 {
        show.handle(Happening::Started(name(number)));
    }
    let mut marks = Marks::default();
    let page: Vec<Mark> = (0..27).map(|number| marks.of(&name(number))).collect();
    let terminal: Vec<Mark> = show.members.iter().map(|member| member.mark.clone()).collect();
    assert_eq!(terminal, page);
    assert_eq!((show.members[0].letter(), show.members[26].letter()), ('A', 'a'));
}
