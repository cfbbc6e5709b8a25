//! What `kubectl` shows of a cluster.

use std::time::Duration;

use serde_json::Value;
use tenure::Member;

use crate::testbed::{Access, kubectl, open, own_name};

async fn lease(name: &str) -> Value {
    serde_json::from_str(&kubectl(&["get", "lease", name, "-o", "json"]).await).unwrap()
}

#[tokio::test]
async fn a_member_is_a_lease_with_holder_and_renewal_until_it_has_gone() {
    let store = own_name();
    let address = Access::of_admin().url("default", &store);
    let builder = Member::builder(open(&address).await).cluster("orders").shards(4).member_id("web-0");
    let member = builder.lease_ttl(Duration::from_secs(20)).start().await.unwrap();
    member.router().until(|routes| routes.iter().all(|route| route.owner.is_some())).await;
    let name = format!("{store}.orders.members.web-0");
    let shown = kubectl(&["get", "leases", "-l", &format!("tenure/store={store},tenure/state=active")]).await;
    let line = shown.lines().find(|line| line.starts_with(&name)).expect(&shown);
    assert!(line.contains(" web-0#") && line.contains(".1 "), "{shown}");

    let seen = lease(&name).await;
    assert_eq!(seen["spec"]["leaseDurationSeconds"], 20);
    assert_eq!(seen["spec"]["leaseTransitions"], 0);
    assert!(seen["spec"]["renewTime"].as_str().unwrap().starts_with("20"), "{seen}");
    assert_eq!(seen["metadata"]["labels"]["tenure/cluster"], "orders");
    assert_eq!(seen["metadata"]["labels"]["tenure/kind"], "member");
    assert_eq!(seen["metadata"]["annotations"]["tenure/key"], "orders/members/web-0");
    let record: Value =
        serde_json::from_str(seen["metadata"]["annotations"]["tenure/record"].as_str().unwrap()).unwrap();
    assert_eq!(record["state"], "active");

    member.leave().await.unwrap();
    let seen = lease(&name).await;
    assert_eq!(seen["metadata"]["labels"]["tenure/state"], "gone");
    assert_eq!(seen["spec"]["holderIdentity"], Value::Null);
}

#[tokio::test]
async fn pages_and_meta_are_maps_that_people_can_read() {
    let store = own_name();
    let address = Access::of_admin().url("default", &store);
    let builder = Member::builder(open(&address).await).cluster("orders").shards(4).member_id("web-0");
    let member = builder.start().await.unwrap();
    member.router().until(|routes| routes.iter().all(|route| route.owner.is_some())).await;
    let selector = format!("tenure/store={store},tenure/cluster=orders");
    let shown = kubectl(&[
        "get",
        "configmaps",
        "-l",
        &selector,
        "-o",
        "jsonpath={.items[*].metadata.labels.tenure/kind}",
    ])
    .await;
    assert_eq!(shown.split_whitespace().collect::<Vec<_>>(), ["page", "meta"]);
    let meta =
        kubectl(&["get", "configmap", &format!("{store}.orders.meta"), "-o", "jsonpath={.data.record}"])
            .await;
    let meta: Value = serde_json::from_str(&meta).unwrap();
    assert_eq!(meta["shards"], 4);
    member.leave().await.unwrap();
}
