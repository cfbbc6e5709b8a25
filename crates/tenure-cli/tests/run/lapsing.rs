//! A lease that ends, and what is said of it.

use std::fs;

use rustix::process::Signal;

use crate::fleet::Fleet;

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
