//! Records that hurt: no command falls over them, they are found, and what is broken in them is moved aside.

use std::sync::Arc;

use serde_json::{Value, json};
use tenure::store::{Read, Store, When};
use tenure_stores::sqlite::SqliteStore;

use crate::testbed::{Testbed, held};

/// Changes a record of the cluster by hand.
async fn rewrite(bed: &Testbed, key: &str, change: impl Fn(&mut Value)) {
    let store = SqliteStore::open(bed.path("tenure.db")).await.unwrap();
    loop {
        let Read::Found(found) = store.get(key, None).await.unwrap() else { panic!("no {key}") };
        let mut record: Value = serde_json::from_slice(&found.value).unwrap();
        change(&mut record);
        let when = When::Is(found.version);
        if store.put(key, record.to_string().into(), when).await.unwrap() != tenure::store::Written::Conflict
        {
            return;
        }
    }
}

/// Puts a change into a page whose range runs backwards.
async fn poison(bed: &Testbed) {
    let backwards = json!({ "author": "a", "step": "appointed", "reason": "first owner", "shards": "9-3" });
    rewrite(bed, "default/ledger/00000", |page| {
        page["generation"] = json!(page["generation"].as_u64().unwrap() + 1);
        page["recent"].as_array_mut().unwrap().push(backwards.clone());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_range_that_runs_backwards_harms_no_member_and_no_command() {
    let bed = Testbed::new();
    let members = bed.members(&["a", "b"]).await;
    poison(&bed).await;
    assert_eq!(held(&bed.status().await, "a") + held(&bed.status().await, "b"), 8);
    for words in
        [&["status"][..], &["plan"], &["plan", "--remove", "a"], &["drain", "a"], &["drain", "a", "--undo"]]
    {
        poison(&bed).await;
        assert_eq!(bed.tenure(words).await.code, 0, "{words:?}");
    }
    for member in &members {
        assert_eq!(member.snapshot().await.unwrap().holdings.len(), 8);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_page_says_to_people_is_found_and_moved_aside() {
    let bed = Testbed::new();
    let members = bed.members(&["a"]).await;
    stop(members).await;
    poison(&bed).await;
    let checked = bed.tenure(&["store", "check"]).await;
    assert_eq!(checked.code, 1, "{checked:?}");
    assert!(
        checked.out.contains("NO  ledger/00000: 1 of the changes that it remembers can't be understood"),
        "{checked:?}"
    );
    let planned = bed.tenure(&["store", "mend", "--dry-run"]).await;
    assert_eq!((planned.code, planned.out.as_str()), (1, "ledger/00000: rewrite\n"), "{planned:?}");
    assert!(bed.tenure(&["store", "mend"]).await.failed(2).contains("nobody is there to confirm; say --yes"));
    let mended = bed.tenure(&["store", "mend", "--yes", "--json"]).await.well();
    let mended: Value = serde_json::from_str(&mended).unwrap();
    assert_eq!((&mended[0]["key"], &mended[0]["outcome"]), (&json!("ledger/00000"), &json!("mended")));
    let kept = std::fs::read_to_string(bed.path(mended[0]["kept"].as_str().unwrap())).unwrap();
    assert!(kept.contains("\"9-3\""), "{kept}");
    let checked = bed.tenure(&["store", "check"]).await.well();
    assert!(checked.ends_with("  ok  every record can be used\n"), "{checked}");
    assert!(bed.tenure(&["store", "mend"]).await.err.contains("every record can be used; nothing was done"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_members_record_that_nobody_understands_is_removed_and_its_shards_find_an_owner() {
    let bed = Testbed::new();
    let _members = bed.members(&["a", "b"]).await;
    let before = bed.status().await;
    rewrite(&bed, "default/members/a", |record| record["seq"] = json!("none")).await;
    let did = bed.tenure(&["store", "mend", "--yes"]).await;
    assert_eq!(did.code, 0, "{did:?}");
    assert!(did.out.starts_with("members/a: mended; its bytes are in ./default-members_a-"), "{did:?}");
    let epoch = |status: &Value, shard: &Value| {
        status["holdings"][shard.as_u64().unwrap() as usize]["epoch"].as_u64()
    };
    let held = before["members"][0]["holds"].as_array().unwrap();
    assert_eq!(held.len(), 4);
    bed.until(|status| held.iter().all(|shard| epoch(status, shard) > epoch(&before, shard))).await;
    assert_eq!(bed.status().await["problems"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_owns_what_is_never_guessed() {
    let bed = Testbed::new();
    let _members = bed.members(&["a"]).await;
    rewrite(&bed, "default/ledger/00000", |page| page["holdings"][3] = json!([0, 0])).await;
    let did = bed.tenure(&["store", "mend", "--yes"]).await;
    assert_eq!((did.code, did.out.as_str()), (1, "ledger/00000: left\n"), "{did:?}");
    assert!(
        did.err.contains("holding 3 makes no sense; write back a page that says who owns what"),
        "{did:?}"
    );
}

async fn stop(members: Vec<Arc<tenure::Member>>) {
    for member in members {
        member.leave().await.unwrap();
    }
}
