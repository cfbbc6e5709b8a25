//! What a new connection may be taken for.

use super::*;

const KNOWN: u64 = 1000;

fn primary() -> Standing {
    Standing {
        system: "7".into(),
        timeline: 1,
        started: "monday".into(),
        reached: Position(KNOWN),
        recovered: None,
    }
}

fn promoted(at: u64) -> Standing {
    Standing {
        timeline: 2,
        started: "tuesday".into(),
        recovered: Some(Position(at)),
        reached: Position(5000),
        ..primary()
    }
}

fn judge(now: &Standing, seen: u64) -> Result<(), Trouble> {
    now.judge(&primary(), Position(seen), "db:5432")
}

#[test]
fn the_same_server_is_taken() {
    let later = Standing { reached: Position(KNOWN + 1), ..primary() };
    judge(&later, KNOWN).unwrap();
}

#[test]
fn another_cluster_is_refused() {
    let other = Standing { system: "8".into(), reached: Position(5000), ..primary() };
    assert!(matches!(judge(&other, 0), Err(Trouble::Another { .. })));
}

#[test]
fn a_primary_of_the_past_is_refused() {
    let before = promoted(KNOWN);
    let judged = primary().judge(&before, Position(10), "db:5432");
    assert!(matches!(judged, Err(Trouble::Former { before: 2, now: 1, .. })));
}

#[test]
fn a_promoted_standby_that_replayed_all_we_saw_is_taken() {
    judge(&promoted(KNOWN + 1), KNOWN).unwrap();
}

#[test]
fn a_promoted_standby_that_lacks_a_write_we_saw_is_refused() {
    // The write was after the position, so a history that ends there lacks it.
    assert!(matches!(judge(&promoted(KNOWN), KNOWN), Err(Trouble::Lost { .. })));
    assert!(matches!(judge(&promoted(KNOWN - 1), KNOWN), Err(Trouble::Lost { .. })));
}

#[test]
fn a_promoted_standby_that_was_restarted_is_judged_by_where_its_log_ends() {
    let restarted = Standing { recovered: None, ..promoted(0) };
    judge(&restarted, KNOWN).unwrap();
    assert!(matches!(judge(&restarted, 5000), Err(Trouble::Lost { .. })));
}

#[test]
fn what_was_written_after_the_promotion_is_not_missing() {
    let before = promoted(KNOWN);
    let now = Standing { reached: Position(9000), ..before.clone() };
    now.judge(&before, Position(8000), "db:5432").unwrap();
}

#[test]
fn a_server_restored_to_an_earlier_state_is_refused() {
    let restored = Standing { started: "tuesday".into(), reached: Position(KNOWN - 10), ..primary() };
    assert!(matches!(judge(&restored, KNOWN), Err(Trouble::Lost { .. })));
}

#[test]
fn a_crash_that_lost_the_end_of_the_log_is_noticed_though_the_log_has_grown_since() {
    let crashed = Standing {
        started: "tuesday".into(),
        recovered: Some(Position(KNOWN - 10)),
        reached: Position(5000),
        ..primary()
    };
    assert!(matches!(judge(&crashed, KNOWN), Err(Trouble::Lost { .. })));
}
