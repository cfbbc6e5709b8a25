//! The API server that the tests share; each test has a store of its own in it.

use std::sync::atomic::{AtomicU32, Ordering};

use tenure_bed::{Kind, url};
use tenure_stores::kubernetes::KubernetesStore;

/// The address of a store that nobody else uses.
pub(crate) fn address() -> String {
    static DRAWN: AtomicU32 = AtomicU32::new(0);
    let number = DRAWN.fetch_add(1, Ordering::Relaxed);
    named(&url(Kind::Kubernetes), &format!("t{}-{number}", std::process::id()))
}

/// The same address with another store's name.
fn named(address: &str, name: &str) -> String {
    let (path, options) = address.split_once('?').unwrap_or((address, ""));
    let (namespace, _) = path.rsplit_once('/').unwrap();
    format!("{namespace}/{name}?{options}")
}

/// A handle on the store at `address`.
pub(crate) async fn open(address: &str) -> KubernetesStore {
    KubernetesStore::open_url(address).await.unwrap()
}
