//! Members of etcd die and freeze, one after the other: calls go on through another.

use bytes::Bytes;
use tenure::store::{Read, Store, When, Written};
use tenure_stores::etcd::EtcdStore;
use tenure_testbed::etcd::Cluster;

use crate::patient;

const MEMBERS: usize = 3;

/// Enough handles that every endpoint is the first choice of some; each begins at one by chance.
async fn handles(cluster: &Cluster) -> Vec<EtcdStore> {
    let mut stores = Vec::new();
    for _ in 0..3 * MEMBERS {
        stores.push(EtcdStore::open_url(&cluster.url("orders")).await.unwrap());
    }
    stores
}

async fn go_on(stores: &[EtcdStore], round: &str) {
    for (number, store) in stores.iter().enumerate() {
        let key = format!("members/{number}");
        patient::write(store, &key, round).await;
        assert_eq!(patient::read(store, &key).await.unwrap().value, round);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_go_on_whichever_member_is_killed() {
    let mut cluster = Cluster::start().await;
    let stores = handles(&cluster).await;
    for victim in 0..MEMBERS {
        cluster.kill(victim);
        go_on(&stores, &format!("killed {victim}")).await;
        cluster.restart(victim).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_go_on_whichever_member_is_frozen() {
    let mut cluster = Cluster::start().await;
    let stores = handles(&cluster).await;
    for victim in 0..MEMBERS {
        cluster.stop(victim);
        go_on(&stores, &format!("frozen {victim}")).await;
        cluster.thaw(victim);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_read_fails_because_of_a_dead_follower() {
    let mut cluster = Cluster::start().await;
    let stores = handles(&cluster).await;
    patient::write(&stores[0], "a", "first").await;
    let follower = (cluster.leader().await + 1) % MEMBERS;
    cluster.kill(follower);
    for store in &stores {
        for _ in 0..20 {
            let read = store.get("a", None).await.unwrap();
            assert!(matches!(read, Read::Found(record) if record.value == "first"));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_endpoint_in_the_address_is_passed_over_by_reads_and_writes() {
    let cluster = Cluster::start().await;
    let alive = cluster.endpoints().remove(0);
    for _ in 0..8 {
        let address = format!("etcd://127.0.0.1:1,{alive},127.0.0.1:2/orders-{}", fastrand::u64(..));
        let store = EtcdStore::open_url(&address).await.unwrap();
        let written = store.put("a", Bytes::from_static(b"x"), When::Absent).await.unwrap();
        assert!(matches!(written, Written::Stored(_)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_of_another_cluster_is_found_out() {
    let (one, other) = tokio::join!(Cluster::start(), Cluster::start());
    let mut endpoints = one.endpoints();
    let store = EtcdStore::open_url(&format!("etcd://{}/orders", endpoints.join(","))).await.unwrap();
    drop(store);
    endpoints.extend(other.endpoints());
    let error = EtcdStore::open_url(&format!("etcd://{}/orders", endpoints.join(","))).await.unwrap_err();
    assert!(error.message.contains("name endpoints of one cluster only"), "{error}");
}
