//! Commands about files and about the program itself.

use crate::testbed::Testbed;

fn line(at_ms: u64, member: &str, epoch: u64, deed: &str) -> String {
    format!(
        "{{\"boot_us\":{},\"wall_ms\":{},\"boot_id\":\"x\",\"member\":\"{member}\",\"incarnation\":\"0a.1\",\
         \"shard\":3,\"epoch\":{epoch},\"deed\":\"{deed}\",\"reason\":\"owned\"}}\n",
        at_ms * 1_000,
        1_700_000_000_000 + at_ms
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn an_audit_proves_a_good_history() {
    let bed = Testbed::new();
    bed.write("a.jsonl", &(line(0, "a", 1, "act") + &line(10, "a", 1, "end")));
    bed.write("b.jsonl", &line(14, "b", 2, "act"));
    let text = bed.tenure(&["audit", "a.jsonl", "b.jsonl"]).await.well();
    assert_eq!(
        text,
        "2 tenures of 1 shard\n1 move between members; without an owner p50 4 ms, p99 4 ms, max 4 ms\n\n\
         Proven: no two owners overlapped, and every epoch grew.\n"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_audit_refutes_a_bad_history_and_ends_with_one() {
    let bed = Testbed::new();
    bed.write("a.jsonl", &(line(0, "a", 1, "act") + &line(10, "a", 1, "end")));
    bed.write("b.jsonl", &line(8, "b", 2, "act"));
    let did = bed.tenure(&["audit", "a.jsonl", "b.jsonl"]).await;
    assert_eq!(did.code, 1, "{did:?}");
    assert!(did.out.contains("shard 3: two owners for 2 ms\n  a#0a.1 at epoch 1: 2023-11-14T22:13:20.000Z"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_strict_audit_wants_every_end() {
    let bed = Testbed::new();
    bed.write("h.jsonl", &(line(0, "a", 1, "act") + &line(8, "b", 2, "act")));
    assert_eq!(bed.tenure(&["audit", "h.jsonl"]).await.code, 0);
    assert_eq!(bed.tenure(&["audit", "--strict", "h.jsonl"]).await.code, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_history_is_shown_in_order_and_by_choice() {
    let bed = Testbed::new();
    bed.write("h.jsonl", &(line(8, "b", 2, "act") + &line(0, "a", 1, "act")));
    let all = bed.tenure(&["history", "h.jsonl"]).await.well();
    let rows: Vec<&str> = all.lines().skip(1).collect();
    assert!(rows[0].starts_with("  2023-11-14T22:13:20.000Z      3      1  act  a "), "{all}");
    assert_eq!(bed.tenure(&["history", "h.jsonl", "--member", "b"]).await.well().lines().count(), 2);
    assert_eq!(bed.tenure(&["history", "h.jsonl", "--shard", "4"]).await.well().lines().count(), 1);
    let told = bed.tenure(&["history", "none.jsonl"]).await.failed(2);
    assert!(told.contains("can't read the history none.jsonl"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_manual_and_the_completions_know_every_command() {
    let bed = Testbed::new();
    let help = bed.tenure(&["--help"]).await.well();
    let (_, listed) = help.split_once("Commands:\n").unwrap();
    let names =
        listed.lines().take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    let script = bed.tenure(&["completions", "bash"]).await.well();
    for name in names {
        assert!(script.contains(name), "{name}");
        assert!(bed.tenure(&["man", name]).await.well().starts_with(".ie"), "{name}");
    }
    assert!(bed.tenure(&["man", "nonsense"]).await.failed(2).contains("there is no command \"nonsense\""));
    assert!(help.contains("Exit codes:") && bed.tenure(&["man"]).await.well().contains("Exit codes:"));
}
