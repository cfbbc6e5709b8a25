//! Histories made by hand, and what an audit says of them.

use std::time::Duration;

use super::proof::judge;
use super::verdict::{Fault, Finding, Verdict, report};
use crate::history::{Boundary, HistoryLine};
use crate::paint::Paint;
use tenure::{Epoch, ShardId};

fn line(at_ms: u64, member: &str, epoch: u64, deed: Boundary) -> HistoryLine {
    HistoryLine {
        boot_us: at_ms * 1_000,
        wall_ms: 1_700_000_000_000 + at_ms,
        boot_id: "one".into(),
        member: member.parse().unwrap(),
        incarnation: "0a0b0c0d.1".into(),
        shard: ShardId(3),
        epoch: Epoch(epoch),
        deed,
        reason: "owned".into(),
    }
}

fn act(at_ms: u64, member: &str, epoch: u64) -> HistoryLine {
    line(at_ms, member, epoch, Boundary::Act)
}

fn end(at_ms: u64, member: &str, epoch: u64) -> HistoryLine {
    line(at_ms, member, epoch, Boundary::End)
}

fn audit(lines: &[HistoryLine]) -> Verdict {
    judge(lines, Duration::ZERO)
}

#[test]
fn owners_one_after_the_other_are_proven() {
    let verdict =
        audit(&[act(0, "a", 1), end(10, "a", 1), act(14, "b", 2), end(20, "b", 2), act(40, "a", 3)]);
    assert_eq!(verdict.finding(), Finding::Proven);
    let text = report(&verdict, Paint::off());
    assert_eq!(
        text,
        "3 tenures of 1 shard\n2 moves between members; without an owner p50 4 ms, p99 20 ms, max 20 ms\n\n\
         Proven: no two owners overlapped, and every epoch grew.\n"
    );
}

#[test]
fn two_owners_at_once_are_refuted_by_the_pair() {
    let verdict = audit(&[act(0, "a", 1), act(8, "b", 2), end(10, "a", 1), end(20, "b", 2)]);
    assert!(matches!(&verdict.faults[..], [Fault::Overlap { us: 2_000, .. }]), "{verdict:?}");
    let text = report(&verdict, Paint::off());
    assert!(text.contains("shard 3: two owners for 2 ms\n  a#0a0b0c0d.1 at epoch 1"), "{text}");
    assert!(text.ends_with("Refuted: a shard had two owners, or an epoch did not grow.\n"), "{text}");
}

#[test]
fn an_overlap_is_found_behind_a_short_tenure_in_between() {
    let lines =
        [act(0, "a", 1), act(5, "b", 2), end(6, "b", 2), act(8, "c", 3), end(10, "a", 1), end(12, "c", 3)];
    assert_eq!(audit(&lines).faults.len(), 2);
}

#[test]
fn an_epoch_that_does_not_grow_is_refuted() {
    let verdict = audit(&[act(0, "a", 2), end(10, "a", 2), act(14, "b", 2), end(15, "b", 2)]);
    assert!(matches!(&verdict.faults[..], [Fault::Epoch(..)]), "{verdict:?}");
}

#[test]
fn a_command_that_is_run_again_is_the_same_owner() {
    let verdict = audit(&[act(0, "a", 1), end(10, "a", 1), act(14, "a", 1), end(20, "a", 1)]);
    assert!(verdict.finding() != Finding::Refuted && verdict.gaps.is_empty(), "{verdict:?}");
}

#[test]
fn an_end_that_is_missing_proves_nothing() {
    let verdict = audit(&[act(0, "a", 1), act(14, "b", 2)]);
    assert_eq!(verdict.finding(), Finding::Open);
    assert_eq!(verdict.open, 1, "b's own end is merely not there yet");
    assert!(report(&verdict, Paint::off()).contains("Not refuted; not proven"), "{verdict:?}");
}

#[test]
fn wall_clocks_of_two_machines_may_disagree_by_the_skew() {
    let mut after = act(8, "b", 2);
    after.boot_id = "two".into();
    after.boot_us = 1;
    let lines = [act(0, "a", 1), after, end(10, "a", 1)];
    assert_eq!(judge(&lines, Duration::ZERO).finding(), Finding::Refuted);
    assert_eq!(judge(&lines, Duration::from_millis(5)).finding(), Finding::Proven);
}

#[test]
fn the_json_says_the_same() {
    let verdict = audit(&[act(0, "a", 1), end(10, "a", 1), act(14, "b", 2)]);
    let json: serde_json::Value = serde_json::from_str(&verdict.json()).unwrap();
    assert_eq!(json["refuted"], false);
    assert_eq!(json["finding"], "proven");
    assert_eq!(json["unowned_us"], serde_json::json!({"p50": 4_000, "p99": 4_000, "max": 4_000}));
}

#[test]
fn a_history_without_a_tenure_proves_nothing() {
    for lines in [&[][..], &[end(10, "a", 1)]] {
        let verdict = audit(lines);
        assert_eq!(verdict.finding(), Finding::Nothing);
        let text = report(&verdict, Paint::off());
        assert!(text.contains("\nNothing to prove: ") && !text.contains("Proven"), "{text}");
    }
}
