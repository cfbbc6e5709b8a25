//! Hints keep coming, whatever happens to the endpoint that the watch is on.

use futures_util::stream::BoxStream;
use futures_util::{FutureExt, StreamExt};
use tenure::store::{Hint, Store};
use tenure_stores::etcd::EtcdStore;
use tenure_testbed::etcd::Cluster;
use tenure_testbed::proxy::{Mode, Proxy};

use crate::{patient, shared};

const MEMBERS: usize = 3;

/// Several watches, so that every endpoint has some; and a handle to write through.
async fn watched(cluster: &Cluster) -> (Vec<(EtcdStore, BoxStream<'static, Hint>)>, EtcdStore) {
    let mut watches = Vec::new();
    for _ in 0..2 * MEMBERS {
        let store = EtcdStore::open_url(&cluster.url("orders")).await.unwrap();
        let mut hints = store.watch("members/");
        // Polled, so that it is open before anything happens.
        let _ = hints.next().now_or_never();
        watches.push((store, hints));
    }
    (watches, EtcdStore::open_url(&cluster.url("orders")).await.unwrap())
}

async fn all_hear(watches: &mut [(EtcdStore, BoxStream<'static, Hint>)], writer: &EtcdStore, said: &str) {
    let version = patient::write(writer, "members/a", said).await;
    for (_, hints) in watches {
        let hint = patient::hinted(hints, "members/a", said).await;
        assert!(hint.record.is_none_or(|record| record.version == version));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn hints_keep_coming_whichever_member_is_killed() {
    let mut cluster = Cluster::start().await;
    let (mut watches, writer) = watched(&cluster).await;
    all_hear(&mut watches, &writer, "before").await;
    for victim in 0..MEMBERS {
        cluster.kill(victim);
        all_hear(&mut watches, &writer, &format!("killed {victim}")).await;
        cluster.restart(victim).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn hints_keep_coming_whichever_member_is_frozen() {
    let mut cluster = Cluster::start().await;
    let (mut watches, writer) = watched(&cluster).await;
    all_hear(&mut watches, &writer, "before").await;
    for victim in 0..MEMBERS {
        cluster.stop(victim);
        all_hear(&mut watches, &writer, &format!("frozen {victim}")).await;
        cluster.thaw(victim);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changed_while_the_watch_was_cut_off_is_told_afterwards() {
    let proxies = Proxy::start_each(&shared::endpoints()[..1]).await.unwrap();
    let prefix = shared::prefix();
    let store = EtcdStore::open_url(&shared::through(&proxies, &prefix)).await.unwrap();
    let direct = format!("etcd://{}/{prefix}", shared::endpoints()[1]);
    let writer = EtcdStore::open_url(&direct).await.unwrap();
    let mut hints = store.watch("members/");
    patient::write(&writer, "members/a", "first").await;
    patient::hinted(&mut hints, "members/a", "first").await;
    proxies[0].set(Mode::Cut);
    patient::write(&writer, "members/a", "unheard").await;
    proxies[0].set(Mode::Pass);
    let hint = patient::hinted(&mut hints, "members/a", "unheard").await;
    assert_eq!(hint.key.as_deref(), Some("members/a"), "it resumed where it had broken off");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watch_whose_revision_is_forgotten_says_that_anything_may_have_changed() {
    let cluster = Cluster::start().await;
    let upstream = cluster.endpoints()[0].parse().unwrap();
    let proxies = Proxy::start_each(&[upstream]).await.unwrap();
    let store = EtcdStore::open_url(&shared::through(&proxies, "orders")).await.unwrap();
    let writer = EtcdStore::open_url(&cluster.url("orders")).await.unwrap();
    let mut hints = store.watch("members/");
    patient::write(&writer, "members/a", "first").await;
    patient::hinted(&mut hints, "members/a", "first").await;
    proxies[0].set(Mode::Cut);
    for number in 0..3 {
        patient::write(&writer, "members/a", &format!("unheard {number}")).await;
    }
    let newest = patient::read(&writer, "members/a").await.unwrap().version;
    cluster.etcdctl(&["compact", newest.as_str()]).await;
    proxies[0].set(Mode::Pass);
    assert_eq!(patient::hinted(&mut hints, "members/a", "unheard 2").await, Hint::anything());
    patient::write(&writer, "members/a", "heard").await;
    assert_eq!(patient::hinted(&mut hints, "members/a", "heard").await.key.as_deref(), Some("members/a"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handle_is_not_told_of_its_own_writes_and_others_are() {
    let address = shared::address();
    let store = EtcdStore::open_url(&address).await.unwrap();
    let other = EtcdStore::open_url(&address).await.unwrap();
    let (mut mine, mut theirs) = (store.watch("members/"), other.watch("members/"));
    for number in 0..20 {
        patient::write(&store, "members/mine", &number.to_string()).await;
        patient::hinted(&mut theirs, "members/mine", &number.to_string()).await;
    }
    patient::write(&other, "members/theirs", "x").await;
    let first = mine.next().await.unwrap();
    assert_eq!(first.key.as_deref(), Some("members/theirs"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removal_is_told_without_content() {
    let address = shared::address();
    let store = EtcdStore::open_url(&address).await.unwrap();
    let other = EtcdStore::open_url(&address).await.unwrap();
    let version = patient::write(&other, "members/a", "x").await;
    let mut hints = store.watch("members/");
    other.delete("members/a", &version).await.unwrap();
    loop {
        let hint = hints.next().await.unwrap();
        assert_eq!(hint.key.as_deref(), Some("members/a"));
        match hint.record {
            Some(record) => assert_eq!(record.version, version, "the write before"),
            None => break,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watch_that_nobody_polls_holds_nobody_up() {
    let store = EtcdStore::open_url(&format!("etcd://{}/{}", shared::endpoints()[0], shared::prefix()))
        .await
        .unwrap();
    let mut forgotten = Vec::new();
    for _ in 0..4 {
        let mut hints = store.watch("members/");
        let _ = hints.next().now_or_never();
        forgotten.push(hints);
        patient::write(&store, "members/a", &forgotten.len().to_string()).await;
    }
}
