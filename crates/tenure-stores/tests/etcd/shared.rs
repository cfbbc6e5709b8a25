//! The cluster that all tests share. Each keeps to a prefix of its own and hurts nobody.

use std::sync::atomic::{AtomicU64, Ordering};

use tenure_bed::Kind;

/// An address on the shared cluster under a prefix that nobody else uses.
pub(crate) fn address() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let unique = format!("{}-{number}-{:x}", std::process::id(), fastrand::u64(..));
    format!("{}/test-{unique}", tenure_bed::url(Kind::Etcd))
}
