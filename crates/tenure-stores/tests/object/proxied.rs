//! A bad network between the store and its server.

use std::time::Duration;

use tenure::clock::Clock;
use tenure::store::{Read, Store, StoreErrorKind, Version, When, Written};
use tenure_stores::object::ObjectStore;
use tenure_testbed::proxy::{Mode, Proxy};

use crate::address::Address;

struct Network {
    proxy: Proxy,
    /// By way of the proxy.
    store: ObjectStore,
    /// Beside it.
    other: ObjectStore,
}

impl Network {
    async fn open() -> Self {
        let address = Address::fresh();
        let proxy = Proxy::start(address.server()).await.unwrap();
        let store = address.by_way_of(proxy.address()).with("timeout", "1s").open().await;
        Self { proxy, store, other: address.open().await }
    }

    async fn put(&self, key: &str) -> Result<Written, StoreErrorKind> {
        self.store.put(key, "value".into(), When::Absent).await.map_err(|error| error.kind)
    }

    async fn landed(&self, key: &str) -> bool {
        self.other.get(key, None).await.unwrap() != Read::Absent
    }

    /// What is really there.
    async fn version(&self, key: &str) -> Version {
        match self.other.get(key, None).await.unwrap() {
            Read::Found(record) => record.version,
            Read::Absent | Read::Unchanged => panic!("{key} did not land"),
        }
    }

    /// Writes on a condition while the answer is lost, then again; that is answered with a conflict, by the first of the two.
    async fn put_twice(&self, key: &str, value: &'static str, when: When) -> Version {
        let put = || self.store.put(key, value.into(), when.clone());
        self.proxy.set(Mode::DropAnswerThenCut);
        assert_eq!(put().await.unwrap_err().kind, StoreErrorKind::Indeterminate);
        let landed = self.version(key).await;
        assert_eq!(put().await.unwrap(), Written::Conflict, "by our own write");
        assert_eq!(self.version(key).await, landed, "it landed once");
        landed
    }
}

#[tokio::test]
async fn a_write_whose_answer_was_lost_is_in_doubt_and_has_landed() {
    let network = Network::open().await;
    network.proxy.set(Mode::DropAnswerThenCut);
    assert_eq!(network.put("a").await, Err(StoreErrorKind::Indeterminate));
    assert_eq!(network.proxy.answers_lost(), 1);
    assert!(network.landed("a").await);
}

#[tokio::test]
async fn a_write_that_is_repeated_after_its_answer_was_lost_meets_itself() {
    let network = Network::open().await;
    let created = network.put_twice("a", "one", When::Absent).await;
    // Another content: a version is a hash of it here, and a write that changes nothing leaves the version as it is.
    let replaced = network.put_twice("a", "two", When::Is(created.clone())).await;
    assert_ne!(replaced, created);
    assert_eq!(network.proxy.answers_lost(), 2);
}

#[tokio::test]
async fn a_write_whose_answers_are_all_lost_is_sent_once() {
    let network = Network::open().await;
    network.proxy.set(Mode::DropAnswers);
    assert_eq!(network.put("a").await, Err(StoreErrorKind::Indeterminate));
    network.proxy.set(Mode::Pass);
    let Read::Found(record) = network.store.get("a", None).await.unwrap() else { panic!("it did not land") };
    let next = network.store.put("a", "next".into(), When::Is(record.version)).await.unwrap();
    assert_ne!(next, Written::Conflict);
}

#[tokio::test]
async fn without_a_connection_a_write_did_not_happen() {
    let network = Network::open().await;
    network.proxy.set(Mode::Cut);
    // The first may meet a connection that is closing, and can't know.
    let first = network.put("a").await.unwrap_err();
    assert!(matches!(first, StoreErrorKind::Unavailable | StoreErrorKind::Indeterminate));
    assert_eq!(network.put("b").await, Err(StoreErrorKind::Unavailable));
    assert!(!network.landed("a").await && !network.landed("b").await);
}

#[tokio::test]
async fn a_black_hole_leaves_writes_in_doubt_and_reads_unanswered() {
    let network = Network::open().await;
    network.proxy.set(Mode::BlackHole);
    assert_eq!(network.put("a").await, Err(StoreErrorKind::Indeterminate));
    let read = network.store.get("a", None).await.unwrap_err();
    assert_eq!(read.kind, StoreErrorKind::Unavailable, "{read}");
    network.proxy.set(Mode::Pass);
    assert!(!network.landed("a").await);
    assert_ne!(network.put("a").await, Ok(Written::Conflict));
}

#[tokio::test]
async fn a_write_that_was_given_up_may_land_late() {
    let network = Network::open().await;
    network.proxy.set(Mode::Delay(Duration::from_millis(300)));
    let given_up = Clock::boot().timeout(Duration::from_millis(100), network.put("a")).await;
    assert!(given_up.is_err());
    network.proxy.set(Mode::Pass);
    // It is on its way or lost; either way the store goes on.
    let when = match network.store.get("a", None).await.unwrap() {
        Read::Found(record) => When::Is(record.version),
        Read::Absent | Read::Unchanged => When::Absent,
    };
    network.store.put("a", "after".into(), when).await.unwrap();
}

#[tokio::test]
async fn a_slow_network_is_only_slow() {
    let network = Network::open().await;
    network.proxy.set(Mode::Delay(Duration::from_millis(50)));
    assert!(matches!(network.put("m/a").await, Ok(Written::Stored(_))));
    assert_eq!(network.store.list("m/").await.unwrap().len(), 1);
}
