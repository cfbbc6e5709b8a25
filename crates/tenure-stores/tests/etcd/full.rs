//! An etcd whose database is full: a write that it answers so may have been carried out all the same.

use bytes::Bytes;
use futures_util::future::join_all;
use tenure::store::{Read, Store, StoreErrorKind, When};
use tenure_stores::etcd::EtcdStore;
use tenure_testbed::etcd::{Cluster, Options};

const QUOTA: u64 = 4 << 20;
const VALUE: usize = 8 << 10;

#[tokio::test(flavor = "multi_thread")]
async fn a_write_to_a_full_database_is_unknown() {
    let cluster = Cluster::start_with(Options { quota: Some(QUOTA), ..Options::default() }).await;
    // So many at once are slow on a busy machine.
    let store = EtcdStore::open_url(&format!("{}?timeout_ms=60000", cluster.url("orders"))).await.unwrap();
    let keys: Vec<String> = (0..2048).map(|number| format!("a/{number:04}")).collect();
    let (mut refused, mut landed) = (0, 0);
    for keys in keys.chunks(256) {
        let puts = keys.iter().map(|key| store.put(key, Bytes::from(vec![b'x'; VALUE]), When::Absent));
        for (key, answer) in keys.iter().zip(join_all(puts).await) {
            let Err(error) = answer else { continue };
            assert!(error.message.contains("etcd's database is full"), "{error}");
            assert_eq!(error.kind, StoreErrorKind::Indeterminate, "{error}");
            refused += 1;
            landed += usize::from(matches!(store.get(key, None).await, Ok(Read::Found(_))));
        }
    }
    assert!(refused > 0, "the database took everything");
    // How many depends on which of them were under way when it became full.
    println!("of {refused} writes that were refused {landed} had landed");
}
