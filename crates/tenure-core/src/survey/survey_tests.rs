//! What onlookers are told.

use super::scene::{Scene, WRITTEN_MS, id, life, member, owned, promised};
use super::{MemberStatus, News, Survey, news};
use crate::ids::{Epoch, ShardId};
use crate::record::{Change, Failing, Holding, MemberRecord, MemberState, NUMBER_MAX, Ranges, StepTaken};

fn closed(state: MemberState, by: Option<&str>) -> MemberRecord {
    MemberRecord { state, by: by.map(id), ..member() }
}

#[test]
fn an_onlooker_sees_members_holdings_and_who_holds_what() {
    let survey = Scene::new(vec![owned("a"), owned("b"), promised("a", "b")])
        .with("a", member())
        .with("b", MemberRecord { weight: 3, zone: Some("z".into()), ..member() })
        .survey(1_500);
    assert_eq!(survey.shards, 3);
    assert_eq!(survey.members[0].holds, [ShardId(0), ShardId(2)]);
    assert_eq!(survey.members[1].holds, [ShardId(1)]);
    assert_eq!((survey.members[1].weight, survey.members[1].zone.as_deref()), (3, Some("z")));
    assert_eq!(survey.members[0].renewed_ago_ms, 1_500);
    assert_eq!(survey.holdings[2].heir, Some(id("b")));
    assert!(survey.unowned.is_empty() && survey.problems.is_empty());
}

#[test]
fn a_member_that_has_not_renewed_for_its_whole_lease_is_silent() {
    let scene = Scene::new(vec![owned("a")]).with("a", member());
    assert_eq!(scene.survey(10_000).members[0].state, MemberStatus::Active);
    assert_eq!(scene.survey(11_000).members[0].state, MemberStatus::Silent);
    // It may act still, for all that is known.
    assert_eq!(scene.survey(11_000).holdings[0].owner, Some(id("a")));
}

#[test]
fn members_are_called_what_their_records_say() {
    let survey = Scene::new(vec![owned("z")])
        .with("a", MemberRecord { drained: true, ..member() })
        .with("b", closed(MemberState::Gone, None))
        .with("c", closed(MemberState::Deposed, None))
        .with("d", MemberRecord { state: MemberState::Leaving, ..member() })
        .with("e", MemberRecord { v: 99, ..member() })
        .survey(0);
    let states: Vec<_> = survey.members.iter().map(|view| view.state.name()).collect();
    assert_eq!(states, ["drained", "gone", "deposed", "leaving", "unreadable"]);
    assert_eq!(survey.problems.len(), 1);
}

#[test]
fn since_when_and_why_come_from_the_page() {
    let mut scene = Scene::new(vec![owned("a"), owned("a"), owned("a")]).with("a", member());
    let given = Change {
        at_ms: Some(5),
        author: id("a"),
        step: StepTaken::Appointed,
        reason: "first owner".into(),
        shards: Ranges::of([ShardId(0), ShardId(1)]),
    };
    let promised =
        Change { step: StepTaken::Promised, reason: "balance".into(), at_ms: Some(9), ..given.clone() };
    scene.page.remember(vec![given, promised]);
    let holdings = scene.survey(0).holdings;
    assert_eq!((holdings[1].since_ms, holdings[1].why.as_deref()), (Some(5), Some("first owner")));
    assert_eq!((holdings[2].since_ms, holdings[2].why.as_deref()), (None, None));
}

#[test]
fn a_shard_that_was_never_owned_says_what_it_waits_for() {
    let never = || vec![Holding::default()];
    assert_eq!(Scene::new(never()).why(0), "never owned; no member is active");
    let drained = MemberRecord { drained: true, ..member() };
    assert_eq!(Scene::new(never()).with("a", drained).why(0), "never owned; no member is active");
    assert_eq!(Scene::new(never()).with("a", member()).why(0), "never owned; about to be given out");
    let unable = MemberRecord { avoids: vec![ShardId(0)], ..member() };
    let told = Scene::new(never()).with("a", unable).why(0);
    assert_eq!(told, "never owned; every active member has failed with it");
}

#[test]
fn a_shard_whose_owner_ended_says_how() {
    let why = |record| Scene::new(vec![owned("a")]).with("a", record).why(0);
    assert_eq!(why(closed(MemberState::Gone, None)), "a left; no member is active");
    assert_eq!(why(closed(MemberState::Gone, Some("b"))), "a is dead, as b has proof; no member is active");
    let deposed = why(closed(MemberState::Deposed, Some("b")));
    assert_eq!(deposed, "a was silent, and b deposed it; no member is active");
    assert_eq!(why(MemberRecord { term: 2, ..member() }), "a began anew; about to be given out");
    let released = MemberRecord { released: [(ShardId(0), Epoch(1))].into_iter().collect(), ..member() };
    assert_eq!(why(released), "a gave it up; about to be given out");
}

#[test]
fn a_shard_between_two_owners_names_the_next() {
    let told = Scene::new(vec![promised("a", "b")])
        .with("a", closed(MemberState::Gone, None))
        .with("b", member())
        .why(0);
    assert_eq!(told, "a left; b takes over");
}

#[test]
fn news_tell_members_then_shards() {
    let before = Scene::new(vec![owned("a"), owned("a"), promised("a", "b")]).with("a", member()).survey(0);
    let taken = Holding { owner: Some(life("b")), epoch: Epoch(2), heir: None, top: Epoch(2) };
    let after = Scene::new(vec![taken, owned("a"), Holding { top: Epoch(2), ..owned("a") }])
        .with("a", closed(MemberState::Gone, None))
        .with("b", member())
        .survey(0);
    let told = news(&before, &after);
    assert_eq!(told[0], News::Became { member: id("a"), state: MemberStatus::Gone });
    assert_eq!(told[1], News::Joined { member: id("b"), incarnation: Some(life("b").incarnation()) });
    assert!(
        matches!(&told[2], News::Appointed { shard: ShardId(0), from: Some(from), owner, epoch: Epoch(2), .. }
        if *from == id("a") && *owner == id("b"))
    );
    assert!(matches!(&told[3], News::Unowned { shard: ShardId(1), .. }));
    assert!(matches!(&told[4], News::Unowned { shard: ShardId(2), .. }));
    assert_eq!(told[5], News::CalledOff { shard: ShardId(2) });
    assert!(news(&after, &after).is_empty());
}

#[test]
fn an_heir_that_is_owner_now_has_succeeded_and_anybody_else_was_appointed() {
    let survey = |holding| Scene::new(vec![holding]).with("a", member()).with("b", member()).survey(0);
    let taken = || Holding { owner: Some(life("b")), epoch: Epoch(2), heir: None, top: Epoch(2) };
    let told = |before, after| news(&survey(before), &after).pop().unwrap();
    assert!(matches!(told(promised("a", "b"), survey(taken())), News::Succeeded { .. }));
    assert!(matches!(told(owned("a"), survey(taken())), News::Appointed { .. }));
    let mut moved = survey(taken());
    moved.holdings[0].step = Some(StepTaken::Succeeded);
    assert!(matches!(told(owned("a"), moved), News::Succeeded { .. }), "its promise was not seen");
}

#[test]
fn a_renewal_is_no_news() {
    let scene = |seq| {
        let renewed = MemberRecord { seq, at_ms: Some(WRITTEN_MS + seq), ..member() };
        Scene::new(vec![owned("a")]).with("a", renewed).survey(seq)
    };
    assert!(news(&scene(6), &scene(9)).is_empty());
}

/// A page whose last change names its shards so.
fn seen_with_changes_of(shards: &str) -> Survey {
    let mut scene = Scene::new(vec![owned("a"); 12]).with("a", member());
    let change = Change {
        at_ms: Some(5),
        author: id("a"),
        step: StepTaken::Appointed,
        reason: "first owner".into(),
        shards: Ranges::of([ShardId(5)]),
    };
    scene.page.remember(vec![change]);
    let text = String::from_utf8(scene.page.encode().to_vec()).unwrap();
    scene.survey_of(text.replace("\"shards\":\"5\"", &format!("\"shards\":\"{shards}\"")).into())
}

#[test]
fn ranges_that_make_no_sense_harm_no_onlooker() {
    for odd in ["9-3", "11-0", "4294967295-0", "9-3,1", "3-1,5-2"] {
        let survey = seen_with_changes_of(odd);
        assert_eq!(survey.holdings.len(), 12);
        assert!(
            survey.holdings.iter().all(|view| view.owner == Some(id("a")) && view.why.is_none()),
            "{odd}"
        );
    }
    let beyond = seen_with_changes_of("3-4294967295");
    let told: Vec<u32> =
        beyond.holdings.iter().filter(|view| view.why.is_some()).map(|view| view.shard.0).collect();
    assert_eq!(told, (3..12).collect::<Vec<_>>());
}

#[test]
fn numbers_that_are_used_up_are_a_problem_in_words() {
    let last = Epoch(NUMBER_MAX);
    let spent = Holding { epoch: last, top: last, ..owned("a") };
    let survey = Scene::new(vec![owned("a"), spent.clone(), spent]).with("a", member()).survey(0);
    assert_eq!(survey.problems.len(), 1);
    assert!(
        survey.problems[0].starts_with("2 of the shards (1-2) have epoch 9007199254740991"),
        "{:?}",
        survey.problems
    );
}

#[test]
fn work_that_fails_is_news_with_each_failure_and_when_it_is_over() {
    let failing =
        |failures, retry_at_ms| Failing { shard: ShardId(0), failures, error: "x".into(), retry_at_ms };
    let seen = |failing: Vec<Failing>, stuck: Vec<ShardId>| {
        Scene::new(vec![owned("a"), owned("a")])
            .with("a", MemberRecord { failing, stuck, ..member() })
            .survey(0)
    };
    let (well, one) = (seen(vec![], vec![]), seen(vec![failing(1, Some(9))], vec![]));
    let told = |failures| News::Failing { member: id("a"), shard: ShardId(0), failures, error: "x".into() };
    assert_eq!(news(&well, &one), [told(1)]);
    assert_eq!(news(&one, &seen(vec![failing(1, None)], vec![])), [], "it was started again");
    assert_eq!(news(&one, &seen(vec![failing(2, None)], vec![])), [told(2)]);
    let recovered = |shard| News::Recovered { member: id("a"), shard: ShardId(shard) };
    assert_eq!(news(&one, &well), [recovered(0)]);
    let stuck = seen(vec![], vec![ShardId(1)]);
    assert_eq!(news(&well, &stuck), [News::Stuck { member: id("a"), shard: ShardId(1) }]);
    assert_eq!(news(&stuck, &well), [recovered(1)]);
}
