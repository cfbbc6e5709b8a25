//! What must not be said: passwords of addresses, and whatever does something to a terminal.

use std::os::unix::process::ExitStatusExt;

use tenure::store::{Read, Store, When};
use tenure_stores::sqlite::SqliteStore;

use crate::testbed::Testbed;

/// Addresses that are wrong in some way, each with the password `hunter2`, or a part of it on either side of a mark.
const ADDRESSES: [&str; 8] = [
    "postgres://me:hunter2@127.0.0.1:1/db",
    "postgres://me:hun/ter2@127.0.0.1:1/db",
    "postgres://me:hun?ter2@127.0.0.1:1/db",
    "etcd://me:hun/ter2@127.0.0.1:1/x",
    "s3://me:hun/ter2@bucket/x",
    "s3://bucket/x?endpoint=http://me:hunter2@127.0.0.1:1&region=x&access_key_id=a&secret_access_key=hunter2",
    "zookeeper://me:hunter2@127.0.0.1:1/x",
    "mysql:me:hunter2",
];

#[tokio::test(flavor = "multi_thread")]
async fn no_command_repeats_a_password_of_an_address() {
    let bed = Testbed::new();
    for address in ADDRESSES {
        for words in [
            &["status"][..],
            &["store", "check"],
            &["drain", "ada"],
            &["dashboard", "--listen", "127.0.0.1:0"],
        ] {
            let mut program = bed.program(&[words, &["--store", address, "--log", "debug"]].concat());
            program.env_remove("AWS_ENDPOINT_URL").env("AWS_EC2_METADATA_DISABLED", "true");
            let did = tokio::task::spawn_blocking(move || program.output().unwrap()).await.unwrap();
            assert!(!did.status.success() && did.status.signal().is_none(), "{address}");
            let told = String::from_utf8_lossy(&[did.stdout, did.stderr].concat()).into_owned();
            assert!(!told.contains("hunter2"), "{address}: {told}");
            let half = told.contains("hun/")
                || told.contains("hun?")
                || told.contains("me:hun")
                || told.contains("ter2@");
            assert!(!half, "{address}: {told}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_records_say_does_nothing_to_a_terminal_and_json_says_it_all_the_same() {
    let bed = Testbed::new();
    let ada = bed.members(&["ada"]).await;
    drop(ada);
    let zone = "a\u{1b}[2J\u{9b}b\u{202e}c\nfake line\u{7f}";
    let store = SqliteStore::open(bed.path("tenure.db")).await.unwrap();
    let Read::Found(found) = store.get("default/members/ada", None).await.unwrap() else {
        panic!("she is there")
    };
    let mut record: serde_json::Value = serde_json::from_slice(&found.value).unwrap();
    record["zone"] = zone.into();
    // Her last renewal may be under way. She does not write over the record of another process that has her name.
    record["process"] = "f".repeat(record["process"].as_str().unwrap().len()).into();
    record["term"] = (record["term"].as_u64().unwrap() + 1).into();
    let changed = serde_json::to_vec(&record).unwrap();
    store.put("default/members/ada", changed.into(), When::Is(found.version)).await.unwrap();
    let is_plain = |text: &str| !text.contains(|c| tenure_core::text::is_unseemly(c) && c != '\n');
    let shown = bed.tenure(&["status"]).await.well();
    assert!(
        is_plain(&shown) && shown.contains("a\\u{1b}[2J\\u{9b}b\\u{202e}c\\u{a}fake line\\u{7f}"),
        "{shown:?}"
    );
    let spelled = bed.tenure(&["status", "--json"]).await.well();
    assert!(is_plain(&spelled), "{spelled:?}");
    let status: serde_json::Value = serde_json::from_str(&spelled).unwrap();
    assert_eq!(status["members"][0]["zone"], zone);
}

#[tokio::test(flavor = "multi_thread")]
async fn acts_of_the_command_line_are_kept_with_who_and_why_and_what_came_of_them() {
    let bed = Testbed::new();
    let _members = bed.members(&["ada", "ben"]).await;
    let mut drain = bed.program(&["drain", "ada", "--no-wait", "--why", "new disk\u{1b}[2J"]);
    drain.env_remove("SUDO_USER").env("LOGNAME", "eve");
    assert!(tokio::task::spawn_blocking(move || drain.status().unwrap()).await.unwrap().success());
    bed.tenure(&["drain", "zoe"]).await.failed(5);
    bed.tenure(&["fence", "ben", "--yes", "--no-wait", "--let-return"]).await;
    let text = bed.tenure(&["acts", "--json"]).await.well();
    let acts: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let what: Vec<_> = acts.iter().map(|act| act["what"].as_str().unwrap()).collect();
    assert_eq!(what, ["drain ada", "drain zoe", "fence ben --let-return"]);
    assert!(acts[0]["who"].as_str().unwrap().starts_with("eve@"), "{text}");
    assert_eq!((&acts[0]["why"], &acts[0]["came"]), (&"new disk\u{1b}[2J".into(), &"done".into()));
    assert!(acts[1]["came"]["refused"].as_str().unwrap().contains("zoe"), "{text}");
    let table = bed.tenure(&["acts"]).await.well();
    assert!(table.contains("new disk\\u{1b}[2J") && !table.contains('\u{1b}'), "{table:?}");
}
