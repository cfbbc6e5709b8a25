//! What people type: commands that are not there, that fail, that leave others behind; and their output.

use std::process::{Output, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::fleet::{Fleet, is_running};

/// Runs `script` for one shard; once `until` stands in its output, asks the member to leave.
fn run_until(fleet: &Fleet, options: &[&str], script: &str, until: &str) -> Output {
    let mut run = fleet.tenure_run("m0");
    run.args(options).args(["--", "sh", "-c", script]);
    let log = fleet.folder().join("out");
    let out = std::fs::File::create(&log).unwrap();
    let child = run.stdout(out).stderr(Stdio::piped()).spawn().unwrap();
    while !std::fs::read_to_string(&log).unwrap().contains(until) {
        std::thread::sleep(Duration::from_millis(20));
    }
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let mut output = child.wait_with_output().unwrap();
    output.stdout = std::fs::read(log).unwrap();
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_command_that_does_not_exist_is_refused_before_anything_is_owned() {
    let fleet = Fleet::new(1);
    let mut run = fleet.tenure_run("m0");
    let output = run.args(["--", "no-such-command-anywhere"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    assert!(told.contains("can't run no-such-command-anywhere: there is no such command"), "{told}");
    assert!(!fleet.folder().join("tenure.db").exists());
}

#[test]
fn a_command_that_vanishes_is_handed_on_to_a_member_that_has_it() {
    let fleet = Fleet::new(1);
    let script = fleet.folder().join("vanishes");
    std::fs::write(&script, "#!/bin/sh\nrm \"$0\"; exit 1\n").unwrap();
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut first = fleet.tenure_run("m0").arg("--").arg(&script).stderr(Stdio::null()).spawn().unwrap();
    while script.exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = {
        let mut run = fleet.tenure_run("m1");
        run.args(["--", "sh", "-c", "echo has it; sleep 60"]);
        let log = fleet.folder().join("other");
        let second = run.stdout(std::fs::File::create(&log).unwrap()).spawn().unwrap();
        while !std::fs::read_to_string(&log).unwrap().contains("has it") {
            std::thread::sleep(Duration::from_millis(20));
        }
        kill_process(Pid::from_child(&second), Signal::TERM).unwrap();
        second.wait_with_output().unwrap()
    };
    kill_process(Pid::from_child(&first), Signal::TERM).unwrap();
    assert!(first.wait().unwrap().success() && output.status.success());
    assert_eq!(fleet.living(), Vec::<String>::new());
}

#[test]
fn a_command_finds_its_shard_in_its_environment_and_in_front_of_each_line() {
    let fleet = Fleet::new(1);
    // In one write: the signal must not come between the line and what follows it.
    let script = "printf '%s %s %s %s\\nend' $TENURE_SHARD/$TENURE_SHARDS $TENURE_EPOCH $TENURE_CLUSTER $TENURE_MEMBER; sleep 60";
    let output = run_until(&fleet, &[], script, "0/1 1");
    assert_eq!(text(&output.stdout), "[0] 0/1 1 default m0\n[0] end\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_command_knows_how_long_it_has_to_end_and_where_its_member_answers() {
    let fleet = Fleet::new(1);
    let script = "printf '%s %s\\nend' $TENURE_DRAIN_SECONDS ${TENURE_STATUS_URL-none}; sleep 60";
    let output = run_until(&fleet, &["--drain", "2500ms"], script, "none");
    assert_eq!(text(&output.stdout), "[0] 2.5 none\n[0] end\n");
    let output = run_until(&Fleet::new(1), &["--listen", "0.0.0.0:0"], script, "http");
    let port = text(&output.stderr)
        .lines()
        .find_map(|line| line.strip_prefix("listening on http://0.0.0.0:").map(ToOwned::to_owned));
    let port = port.expect("it says where it listens");
    assert_eq!(text(&output.stdout), format!("[0] 5 http://127.0.0.1:{port}\n[0] end\n"));
}

#[test]
fn raw_output_is_left_as_it_is() {
    let output = run_until(&Fleet::new(1), &["--raw"], "printf plain; sleep 60", "plain");
    assert_eq!(text(&output.stdout), "plain");
}

#[test]
fn a_stubborn_command_and_its_daemons_are_gone_when_the_member_is() {
    let fleet = Fleet::new(1);
    let hidden = format!("sleep {}", 100_000 + std::process::id());
    let script = format!(
        "trap '' TERM; setsid sleep 1000 & (setsid env -i {hidden} &); echo ready; while :; do sleep 1; done"
    );
    let output = run_until(&fleet, &["--drain", "200ms"], &script, "ready");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(fleet.living(), Vec::<String>::new());
    assert!(!is_running(&hidden), "nothing in its environment said whose it was");
}

#[test]
fn a_command_that_ends_well_is_run_again_only_if_that_is_wanted() {
    let again = run_until(&Fleet::new(1), &[], "echo $$", "\n[0] ");
    assert!(text(&again.stdout).lines().count() >= 2);
    let fleet = Fleet::new(1);
    let history = || std::fs::read_to_string(fleet.folder().join("m0.jsonl")).unwrap_or_default();
    let mut run = fleet.tenure_run("m0");
    let mut child = run.args(["--restart", "on-failure", "--", "true"]).spawn().unwrap();
    while !history().contains("exited with status 0") {
        std::thread::sleep(Duration::from_millis(20));
    }
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(history().matches("\"act\"").count(), 1);
}

#[test]
fn two_members_with_one_id_never_run_at_once() {
    let mut fleet = Fleet::of(1, 2);
    let mut second = fleet.tenure_run("m0").arg("--").args(crate::beat::command()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(3));
    fleet.assert_exclusive();
    fleet.members[0].kill();
    fleet.settle(|counts| counts == [2]);
    fleet.assert_exclusive();
    kill_process(Pid::from_child(&second), Signal::TERM).unwrap();
    assert!(second.wait().unwrap().success());
    assert_eq!(fleet.living(), Vec::<String>::new());
}

#[test]
fn a_shard_count_that_differs_from_the_clusters_is_said() {
    let fleet = Fleet::of(1, 2);
    let mut run = Fleet::new(3).tenure_run("m1");
    let other = run.current_dir(fleet.folder()).args(["--", "true"]).output().unwrap();
    let told = text(&other.stderr);
    assert_eq!(other.status.code(), Some(2), "{told}");
    assert!(told.contains("setting shards is 3"), "{told}");
    fleet.leave_nothing();
}

#[test]
fn a_history_that_can_not_be_written_is_said_and_stops_nobody() {
    let fleet = Fleet::new(1);
    std::os::unix::fs::symlink("/dev/full", fleet.folder().join("m0.jsonl")).unwrap();
    let output = run_until(&fleet, &[], "echo works; sleep 60", "works");
    assert_eq!(output.status.code(), Some(0));
    let told = text(&output.stderr);
    assert!(told.contains("the history can't be written: No space left on device"), "{told}");
}
