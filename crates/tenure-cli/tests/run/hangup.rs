//! A terminal that closes hands its members' shards on.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};

use crate::fleet::{Fleet, under};

#[test]
fn a_hangup_hands_all_shards_on_however_often_it_comes() {
    let mut fleet = Fleet::new(4);
    let log = fleet.start_talking();
    let mut fleet = fleet.with_members(1).settled();
    // The shell says it to its jobs, and the kernel to all that are left.
    fleet.members[0].signal(Signal::HUP);
    fleet.members[0].signal(Signal::HUP);
    assert!(fleet.members[0].end_soon().success());
    let told = fs::read_to_string(log).unwrap();
    assert!(told.contains("leaving: handing all shards on"), "{told}");
    assert!(!told.contains("leaving at once"), "{told}");
    fleet.settle(|counts| counts == [0, 4]);
    fleet.assert_exclusive();
    fleet.leave_nothing();
}

#[test]
fn a_member_that_is_to_outlive_its_terminal_does() {
    let fleet = Fleet::new(1);
    let mut command = under(&["nohup"], &fleet.tenure_run("m0"));
    command.args(["--", "sleep", "1000"]).process_group(0).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let owned = || String::from_utf8(fleet.tenure(&["status"]).stdout).unwrap().contains("all owned");
    while !owned() {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    kill_process(Pid::from_child(&child), Signal::HUP).unwrap();
    // Had it heard that, it would leave: the next signal finds it at work.
    let status = fleet.tenure(&["wait", "--member", "m0", "--drained", "--timeout", "1s"]);
    assert_eq!(status.status.code(), Some(6));
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(fleet.living(), Vec::<String>::new());
}
