//! What the guide says to people who route in Python, run as it stands there.

use std::process::Command;

use crate::fleet::Fleet;
use crate::listening::Listening;

const GUIDE: &str = include_str!("../../../../docs/guide/routing.md");

const KEYS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tenure-core/golden/keys.json");

/// Asks a member for the owner of every key that the guide has, and compares the shards with those that are known.
const TRIAL: &str = r#"
import sys
keys, url = json.load(open(sys.argv[1]))["keys"], sys.argv[2]
for known in keys:
    key = bytes.fromhex(known["hex"])
    for shards, shard in known["shards"].items():
        assert shard_of(key, int(shards)) == shard, known
    told = owner_of(key, url)
    assert (told["shard"], told["owner"]) == (shard_of(key, told["shards"]), "ada"), told
print(len(keys))
"#;

fn snippet() -> &'static str {
    let (_, rest) = GUIDE.split_once("```python\n").expect("the guide has lines of Python");
    rest.split_once("```").expect("they end").0
}

#[test]
fn the_python_of_the_guide_finds_the_shard_and_the_owner_of_every_key() {
    assert!(snippet().lines().filter(|line| !line.is_empty()).count() <= 10, "it is short");
    let fleet = Fleet::new(8);
    let ada = Listening::start(&fleet);
    ada.until_ready_is("200", "ready\n");
    ada.status_until(|status| {
        let holdings = status["holdings"].as_array().unwrap();
        holdings.len() == 8 && holdings.iter().all(|one| one["owner"] == "ada")
    });
    let script = fleet.folder().join("route.py");
    std::fs::write(&script, format!("{}{TRIAL}", snippet())).unwrap();
    let mut python = Command::new(tenure_testbed::python_with("xxhash==4.1.0").unwrap());
    let output = python.arg(&script).arg(KEYS).arg(format!("http://{}", ada.place)).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!((String::from_utf8_lossy(&output.stdout).trim(), told.as_ref()), ("16", ""), "{told}");
    ada.leave();
}
