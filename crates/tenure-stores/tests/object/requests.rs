//! What each call costs, in requests that reach the server: they are what object storage bills.

use std::collections::BTreeMap;

use tenure::store::{Read, Store, Version, When, Written};
use tenure_stores::object::ObjectStore;
use tenure_testbed::proxy::Proxy;

use crate::address::Address;

struct Counted {
    proxy: Proxy,
    store: ObjectStore,
    other: ObjectStore,
}

impl Counted {
    async fn open() -> Self {
        let address = Address::fresh();
        let proxy = Proxy::start_http(address.server()).await.unwrap();
        let store = address.by_way_of(proxy.address()).open().await;
        Self { proxy, store, other: address.open().await }
    }

    /// What `call` costs.
    async fn cost<T>(&self, call: impl Future<Output = T>) -> (T, BTreeMap<String, u64>) {
        let before = self.proxy.requests();
        let answer = call.await;
        let mut after = self.proxy.requests();
        for (method, count) in &mut after {
            *count -= before.get(method).copied().unwrap_or_default();
        }
        after.retain(|_, count| *count > 0);
        (answer, after)
    }
}

fn requests<const N: usize>(counts: [(&str, u64); N]) -> BTreeMap<String, u64> {
    counts.into_iter().map(|(method, count)| (method.to_owned(), count)).collect()
}

async fn stored(store: &ObjectStore, key: &str, value: &str, when: When) -> Version {
    match store.put(key, value.to_owned().into(), when).await.unwrap() {
        Written::Stored(version) => version,
        Written::Conflict => panic!("{key} was a conflict"),
    }
}

#[tokio::test]
async fn to_open_costs_one_listing() {
    let address = Address::fresh();
    let proxy = Proxy::start_http(address.server()).await.unwrap();
    address.by_way_of(proxy.address()).open().await;
    assert_eq!(proxy.requests(), requests([("LIST", 1)]));
}

#[tokio::test]
async fn a_listing_fetches_what_changed_and_nothing_else() {
    let counted = Counted::open().await;
    let mut versions = Vec::new();
    for name in 0..10 {
        versions.push(stored(&counted.other, &format!("m/{name}"), "first", When::Absent).await);
    }
    let (listed, cost) = counted.cost(counted.store.list("m/")).await;
    assert_eq!((listed.unwrap().len(), cost), (10, requests([("GET", 10), ("LIST", 1)])));
    let (_, idle) = counted.cost(counted.store.list("m/")).await;
    assert_eq!(idle, requests([("LIST", 1)]));
    stored(&counted.other, "m/7", "second", When::Is(versions[7].clone())).await;
    let (listed, cost) = counted.cost(counted.store.list("m/")).await;
    assert_eq!(cost, requests([("GET", 1), ("LIST", 1)]));
    assert_eq!(listed.unwrap()[7].record.value, "second");
}

#[tokio::test]
async fn what_the_handle_wrote_itself_it_need_not_fetch() {
    let counted = Counted::open().await;
    let first = stored(&counted.store, "m/me", "first", When::Absent).await;
    counted.store.list("m/").await.unwrap();
    let (second, cost) = counted.cost(stored(&counted.store, "m/me", "second", When::Is(first))).await;
    assert_eq!(cost, requests([("PUT", 1)]));
    let (listed, cost) = counted.cost(counted.store.list("m/")).await;
    assert_eq!(cost, requests([("LIST", 1)]));
    let entry = &listed.unwrap()[0];
    assert_eq!((&entry.record.version, &entry.record.value[..]), (&second, &b"second"[..]));
}

#[tokio::test]
async fn a_grave_is_fetched_once() {
    let counted = Counted::open().await;
    let version = stored(&counted.other, "m/a", "here", When::Absent).await;
    counted.other.delete("m/a", &version).await.unwrap();
    let (_, first) = counted.cost(counted.store.list("m/")).await;
    let (_, second) = counted.cost(counted.store.list("m/")).await;
    assert_eq!((first, second), (requests([("GET", 1), ("LIST", 1)]), requests([("LIST", 1)])));
}

#[tokio::test]
async fn a_known_version_is_read_without_its_content() {
    let counted = Counted::open().await;
    let value = "x".repeat(100_000);
    let version = stored(&counted.other, "a", &value, When::Absent).await;
    let before = counted.proxy.bytes_to_client();
    let (answer, cost) = counted.cost(counted.store.get("a", Some(&version))).await;
    assert_eq!((answer.unwrap(), cost), (Read::Unchanged, requests([("GET", 1)])));
    assert!(counted.proxy.bytes_to_client() - before < 10_000);
}

#[tokio::test]
async fn a_lost_race_to_create_costs_a_write_and_a_read() {
    let counted = Counted::open().await;
    stored(&counted.other, "a", "theirs", When::Absent).await;
    let (answer, cost) = counted.cost(counted.store.put("a", "ours".into(), When::Absent)).await;
    assert_eq!((answer.unwrap(), cost), (Written::Conflict, requests([("GET", 1), ("PUT", 1)])));
}
