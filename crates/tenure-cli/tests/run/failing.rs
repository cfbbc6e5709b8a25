//! What people are told of work that fails, and of a lease that ends.

use std::fs;
use std::process::Output;
use std::time::Duration;

use rustix::process::Signal;

use crate::fleet::Fleet;

fn status(fleet: &Fleet, words: &[&str]) -> (Option<i32>, String) {
    let Output { status, stdout, .. } = fleet.tenure(&[&["status"], words].concat());
    (status.code(), String::from_utf8(stdout).unwrap())
}

#[test]
fn a_command_that_fails_again_and_again_is_not_all_well() {
    let mut fleet = Fleet::new(2);
    fleet.start_running(&["sh", "-c", "[ $TENURE_SHARD = 1 ] && exec sleep 1000; exit 7"]);
    while !status(&fleet, &[]).1.contains("to no avail: ") {
        std::thread::sleep(Duration::from_millis(50));
    }
    let (code, told) = status(&fleet, &["--check"]);
    assert_eq!(code, Some(1));
    assert!(told.contains("2 shards, all owned, 1 to no avail"), "{told}");
    assert!(
        told.contains("m0 owns 0 to no avail: ")
            && told.contains("the last said: the command exited with status 7"),
        "{told}"
    );
    assert_eq!(status(&fleet, &["--check", "--shard", "1"]).0, Some(0), "the other shard runs");
    assert_eq!(status(&fleet, &[]).0, Some(0), "only --check judges");
    let json: serde_json::Value = serde_json::from_str(&status(&fleet, &["--json"]).1).unwrap();
    assert_eq!(json["members"][0]["failing"][0]["shard"], 0);
    assert_eq!(json["wrong"].as_array().unwrap().len(), 1);
    fleet.leave_nothing();
}

#[test]
fn a_shard_or_member_that_is_not_there_is_told() {
    let fleet = Fleet::of(1, 2);
    for (words, told) in
        [(["--shard", "2"], "there is no shard 2; the last is 1"), (["--member", "x"], "there is m0")]
    {
        let output = fleet.tenure(&[&["status"], &words[..]].concat());
        assert!(!output.status.success());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(told), "{said}");
    }
    fleet.leave_nothing();
}

#[test]
fn a_lapse_is_told_as_a_lapse_and_not_as_work_that_failed() {
    let mut fleet = Fleet::new(2);
    let log = fleet.start_talking();
    let fleet = fleet.settled();
    let beating = fleet.beating();
    let beating: Vec<&str> = beating.iter().map(String::as_str).collect();
    fleet.members[0].signal(Signal::STOP);
    // Its helpers end the children before the lease does.
    fleet.await_children(&beating, |counts| counts == [0]);
    fleet.members[0].signal(Signal::CONT);
    let fleet = fleet.settled();
    let told = fs::read_to_string(log).unwrap();
    assert_eq!(told.matches("the lease was over: work was ended").count(), 1, "{told}");
    assert!(!told.contains("work failed") && !told.contains("signal 9"), "{told}");
    fleet.leave_nothing();
}
