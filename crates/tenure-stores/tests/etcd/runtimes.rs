//! A handle is not bound to the runtime that opened it: a user's work may block that one.

use tenure::store::{Read, Store};
use tenure_stores::etcd::EtcdStore;
use tokio::runtime::{Builder, Runtime};

use crate::shared;

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

#[test]
fn a_handle_works_though_the_runtime_that_opened_it_stands_still() {
    let opener = runtime();
    let store = opener.block_on(EtcdStore::open_url(&shared::address())).unwrap();
    // Nobody drives the opener from here on.
    let read = runtime().block_on(store.get("a", None)).unwrap();
    assert_eq!(read, Read::Absent);
    drop(opener);
    assert_eq!(runtime().block_on(store.get("a", None)).unwrap(), Read::Absent);
}
