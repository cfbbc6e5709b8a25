//! What passed through a proxy, counted.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::mode::Way;

/// Counts over all connections of one proxy.
#[derive(Debug, Default)]
pub(super) struct Tally {
    connections: AtomicU64,
    to_server: AtomicU64,
    to_client: AtomicU64,
    answers_lost: AtomicU64,
    requests: Mutex<BTreeMap<String, u64>>,
}

impl Tally {
    pub(super) fn count_connection(&self) {
        self.connections.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn connections(&self) -> u64 {
        self.connections.load(Ordering::Relaxed)
    }

    pub(super) fn count_bytes(&self, way: Way, bytes: usize) {
        self.passed(way).fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(super) fn bytes(&self, way: Way) -> u64 {
        self.passed(way).load(Ordering::Relaxed)
    }

    fn passed(&self, way: Way) -> &AtomicU64 {
        match way {
            Way::ToServer => &self.to_server,
            Way::ToClient => &self.to_client,
        }
    }

    pub(super) fn count_lost_answer(&self) {
        self.answers_lost.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn answers_lost(&self) -> u64 {
        self.answers_lost.load(Ordering::Relaxed)
    }

    pub(super) fn count_request(&self, operation: &str) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        *requests.entry(operation.into()).or_default() += 1;
    }

    pub(super) fn requests(&self) -> BTreeMap<String, u64> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
