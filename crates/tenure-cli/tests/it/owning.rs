//! `tenure owner`: by hand what routers do.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;

use serde_json::{Value, json};
use tenure::Member;

use crate::testbed::{Did, Testbed};

async fn owner(bed: &Testbed, key: &[u8]) -> Did {
    let mut program = bed.program(&["owner", "--json"]);
    program.arg("--").arg(OsStr::from_bytes(key));
    tokio::task::spawn_blocking(move || program.output().unwrap().into()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_of_any_key_is_the_one_that_routers_find() {
    let bed = Testbed::new();
    let members = bed.members(&["a", "b"]).await;
    for key in [&b"order-17"[..], b"", b"\xff\xfe", b"--json", "Gr\u{fc}\u{df}e".as_bytes()] {
        let told: Value = serde_json::from_str(&owner(&bed, key).await.well()).unwrap();
        let (shard, id) = (members[0].shard_of(key), members[0].owner_of(key).unwrap());
        assert_eq!(told["shard"], json!(shard.0));
        assert_eq!((&told["owner"], &told["state"]), (&json!(id), &json!("owned")), "{key:?}");
        assert_eq!(told["address"], format!("{id}.example:80"));
        let epoch = members[0].router().route(shard).unwrap().epoch;
        assert_eq!((&told["epoch"], &told["seen_ago_ms"]), (&json!(epoch), &json!(0)));
        assert_eq!((&told["cluster"], &told["shards"]), (&json!("default"), &json!(8)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn for_people_it_is_one_line_and_for_scripts_an_exit_code() {
    let bed = Testbed::new();
    let members: Vec<Arc<Member>> = bed.members(&["a"]).await;
    let text = bed.tenure(&["owner", "--shard", "3"]).await.well();
    assert!(text.starts_with("shard 3: a at a.example:80, epoch 1, since "), "{text}");
    members[0].leave().await.unwrap();
    let nobody = bed.tenure(&["owner", "order-17"]).await;
    assert_eq!(nobody.code, 1, "{nobody:?}");
    assert!(nobody.out.ends_with(": nobody (a left; no member is active)\n"), "{nobody:?}");
    assert_eq!(
        bed.tenure(&["owner", "--shard", "8"]).await.failed(2),
        "error: there is no shard 8; the last is 7\n"
    );
    bed.tenure(&["owner"]).await.failed(2);
    bed.tenure(&["owner", "a", "--cluster", "no"]).await.failed(4);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_that_renews_no_more_is_in_doubt() {
    let bed = Testbed::new();
    let run =
        ["run", "--member", "z", "--shards", "8", "--ttl", "1s", "--isolate", "never", "--", "sleep", "60"];
    let mut alone = bed.program(&run).spawn().unwrap();
    while bed.tenure(&["owner", "--shard", "0"]).await.code != 0 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    alone.kill().unwrap();
    alone.wait().unwrap();
    loop {
        let told = bed.tenure(&["owner", "--shard", "0"]).await;
        if told.code == 1 {
            assert!(
                told.out.starts_with("shard 0: z, epoch 1; in doubt: its lease of 1.0 s was renewed "),
                "{told:?}"
            );
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}
