//! What a recovery writes, step by step.

use super::*;
use crate::ids::ShardId;
use crate::record::{FORMAT, Heir, Key, Unknown};
use crate::survey::scene::{id, life, member, owned, promised};

const OLD: Lineage = Lineage(9);
const NEW: Lineage = Lineage(77);

fn meta(state: Formation) -> Meta {
    Meta {
        v: FORMAT,
        lineage: OLD,
        state,
        shards: 3,
        page_size: 3,
        ttl_max_ms: 40_000,
        placement: "rendezvous".into(),
        plan_version: 1,
        spread_zones: false,
        extra: Unknown::default(),
    }
}

fn recovery() -> Recovery {
    Recovery::new(&meta(Formation::Ready), NEW)
}

fn page() -> LedgerPage {
    let holdings = vec![owned("a"), promised("a", "b"), Holding::default()];
    LedgerPage { generation: 5, holdings, ..LedgerPage::blank(OLD, 0) }
}

fn tops(page: &LedgerPage) -> Vec<u64> {
    page.holdings.iter().map(|holding| holding.top.0).collect()
}

#[test]
fn every_epoch_is_raised_by_a_wide_step_and_nobody_owns_anything() {
    let raised = recovery().raised(0, &page(), &id("operator")).unwrap().unwrap();
    assert_eq!(tops(&raised), [STEP + 1, STEP + 2, STEP]);
    assert!(raised.holdings.iter().all(|one| one.owner.is_none() && one.heir.is_none() && one.epoch.0 == 0));
    assert_eq!((raised.generation, raised.why.unwrap().reason.as_str()), (6, "recovered"));
}

#[test]
fn a_raised_page_is_of_neither_lineage_until_it_is_finished() {
    let recovery = recovery();
    let raised = recovery.raised(0, &page(), &id("operator")).unwrap().unwrap();
    for meta in [meta(Formation::Ready), recovery.ready(), recovery.forming().clone()] {
        assert!(LedgerPage::decode(0, &raised.encode(), &meta).is_err(), "nobody can use it");
    }
    let finished = recovery.finished(0, &raised).unwrap().unwrap();
    let read = LedgerPage::decode(0, &finished.encode(), &recovery.ready()).unwrap();
    assert_eq!((tops(&read), read.generation), (vec![STEP + 1, STEP + 2, STEP], 7));
}

#[test]
fn a_recovery_that_stopped_goes_on_and_raises_nothing_twice() {
    let first = recovery();
    let raised = first.raised(0, &page(), &id("operator")).unwrap().unwrap();
    let again = Recovery::new(first.forming(), Lineage(1234));
    assert_eq!(again, first, "it is known by the lineage that it began to give");
    let read = again.read_page(0, &raised.encode()).unwrap();
    assert_eq!(
        (again.progress(&read), again.raised(0, &read, &id("operator"))),
        (Progress::Raised, Ok(None))
    );
    let finished = again.finished(0, &read).unwrap().unwrap();
    assert_eq!((again.progress(&finished), again.finished(0, &finished)), (Progress::Done, Ok(None)));
    assert_eq!(again.raised(0, &finished, &id("operator")), Ok(None));
}

#[test]
fn a_page_that_was_put_back_meanwhile_is_not_finished() {
    let refused = recovery().finished(0, &page()).unwrap_err();
    assert!(refused.to_string().contains("somebody put it back"), "{refused}");
}

#[test]
fn numbers_that_are_used_up_are_told_and_not_exceeded() {
    let mut late = page();
    late.holdings[1].top = Epoch(NUMBER_MAX - STEP);
    let refused = recovery().raised(0, &late, &id("operator")).unwrap_err();
    assert_eq!(refused, Hindrance::Spent("an epoch of ledger page 0".into()));
    let turned = LedgerPage { generation: NUMBER_MAX, ..page() };
    assert!(matches!(recovery().raised(0, &turned, &id("operator")), Err(Hindrance::Spent(_))));
}

#[test]
fn what_is_no_page_is_refused() {
    let refused = recovery().read_page(0, b"{}").unwrap_err();
    let Hindrance::Unreadable(what) = refused else { panic!("{refused}") };
    assert_eq!(what.key, Key::Page(0));
}

#[test]
fn a_closed_record_is_nobodys_lease_and_keeps_what_an_operator_wished() {
    let record =
        MemberRecord { drained: true, stuck: vec![ShardId(1)], address: Some("a:1".into()), ..member() };
    let closed = recovery().closed(&record, Process(5), 99).unwrap();
    assert_eq!((closed.state, closed.term, closed.seq), (MemberState::Gone, 1, 0));
    assert_ne!(closed.line, record.line, "the life of before is not called closed by this");
    assert!(closed.drained && closed.stuck.is_empty() && closed.address.is_some());
    assert_eq!(recovery().closed(&closed, Process(6), 100), None);
    let joined_over = MemberRecord { term: 2, state: MemberState::Active, ..closed };
    let again = recovery().closed(&joined_over, Process(6), 100).unwrap();
    assert_eq!((again.line, again.term, again.state), (joined_over.line, 3, MemberState::Gone));
    assert_eq!(recovery().closed(&again, Process(6), 100), None);
}

#[test]
fn it_waits_for_the_longest_lease_that_anybody_may_have() {
    assert!(recovery().patience() > Duration::from_secs(40));
    assert!(recovery().patience() < Duration::from_secs(45));
}

#[test]
fn heirs_are_forgotten_with_their_promises() {
    let heir = Heir { life: life("b"), epoch: Epoch(8) };
    let holding = Holding { heir: Some(heir), top: Epoch(8), ..owned("a") };
    let page = LedgerPage { holdings: vec![holding; 3], ..page() };
    let raised = recovery().raised(0, &page, &id("operator")).unwrap().unwrap();
    assert_eq!(tops(&raised), [STEP + 8; 3]);
}
