//! Mistakes are refused at the start, with the setting and the remedy named.

use bytes::Bytes;
use tenure::store::{Memory, Store, When};
use tenure::{Error, ErrorKind, Member, Settings};

use crate::fleet::{settings, start};

async fn refusal(store: Memory, spoil: impl FnOnce(&mut Settings)) -> Error {
    let mut settings = settings("b");
    spoil(&mut settings);
    Member::builder(store).settings(settings).start().await.unwrap_err()
}

#[tokio::test]
async fn a_wrong_setting_is_named_with_its_remedy() {
    for (setting, error) in [
        ("shards", refusal(Memory::new(), |s| s.shards = 0).await),
        ("lease_ttl", refusal(Memory::new(), |s| s.lease_ttl = std::time::Duration::from_millis(100)).await),
        ("member_id", refusal(Memory::new(), |s| s.member_id = Some("a b".into())).await),
        ("lease_detach_margin", refusal(Memory::new(), |s| s.lease_detach_margin = Some(s.lease_ttl)).await),
    ] {
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert!(error.to_string().starts_with(&format!("setting {setting} ")), "{error}");
    }
}

#[tokio::test]
async fn another_shard_count_than_the_clusters_is_refused() {
    let store = Memory::new();
    let _founder = start(store.clone(), "a").await;
    let error = refusal(store, |s| s.shards = 9).await;
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.to_string().contains("shards") && error.to_string().contains('8'), "{error}");
}

#[tokio::test]
async fn an_unreadable_cluster_is_refused_and_left_alone() {
    let store = Memory::new();
    store.put("orders/meta", Bytes::from_static(b"?"), When::Absent).await.unwrap();
    let error = refusal(store.clone(), |_| ()).await;
    assert_eq!(error.kind(), ErrorKind::Incompatible, "{error}");
    assert!(error.to_string().contains("meta"), "{error}");
    let tenure::store::Read::Found(kept) = store.get("orders/meta", None).await.unwrap() else { panic!() };
    assert_eq!(kept.value, Bytes::from_static(b"?"));
}
