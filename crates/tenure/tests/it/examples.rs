//! The examples run, as their readers would run them.

use std::process::Command;

#[test]
fn orders_are_taken_and_handed_on() {
    let run = ["run", "--quiet", "--locked", "--package", "tenure", "--example", "orders"];
    let output = Command::new(env!("CARGO")).args(run).output().unwrap();
    let (said, wrong) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{wrong}");
    assert!(said.contains("anna left; ben owns all 8 shards"), "{said}");
}
