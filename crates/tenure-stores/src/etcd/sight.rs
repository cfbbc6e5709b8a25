//! What this handle has seen of the cluster, to notice when it is another one.
//!
//! Versions mean something in one cluster only, and only while its counter goes forward. Two mistakes break that: an address
//! whose endpoints belong to different clusters, and a cluster that was restored from a backup under members that go on.
//! Both show in what every answer begins with, so every answer is looked at.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use super::message::Header;

/// The cluster's identity and the newest revision that it has shown.
#[derive(Debug, Default)]
pub(super) struct Sight {
    /// Zero until the first answer.
    cluster: AtomicU64,
    revision: AtomicI64,
}

/// Why an answer can't be believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Estranged {
    #[error(
        "this endpoint belongs to etcd cluster {found:x}, not to {expected:x} as before; name endpoints of one cluster only"
    )]
    OtherCluster { expected: u64, found: u64 },
    #[error(
        "etcd is at revision {found} though it was at {seen} before: it was restored or lost data; run `tenure store recover`, then restart"
    )]
    WentBack { seen: i64, found: i64 },
}

impl Sight {
    /// The newest revision that was shown.
    pub(super) fn revision(&self) -> i64 {
        self.revision.load(Ordering::Acquire)
    }

    /// Takes note of an answer to a linearizable call that was sent when `seen` had been shown.
    pub(super) fn note(&self, seen: i64, header: Option<&Header>) -> Result<(), Estranged> {
        let header = header.copied().unwrap_or_default();
        self.recognise(header.cluster_id)?;
        if header.revision < seen {
            return Err(Estranged::WentBack { seen, found: header.revision });
        }
        self.revision.fetch_max(header.revision, Ordering::AcqRel);
        Ok(())
    }

    /// Takes note of who answered.
    pub(super) fn recognise(&self, found: u64) -> Result<(), Estranged> {
        match self.cluster.compare_exchange(0, found, Ordering::AcqRel, Ordering::Acquire) {
            Err(expected) if expected != found => Err(Estranged::OtherCluster { expected, found }),
            Ok(_) | Err(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(cluster_id: u64, revision: i64) -> Header {
        Header { cluster_id, revision }
    }

    #[test]
    fn answers_of_one_cluster_that_goes_forward_are_believed() {
        let sight = Sight::default();
        assert_eq!(sight.note(0, Some(&header(7, 10))), Ok(()));
        assert_eq!(sight.note(10, Some(&header(7, 10))), Ok(()));
        assert_eq!(sight.revision(), 10);
    }

    #[test]
    fn answers_may_overtake_each_other() {
        let sight = Sight::default();
        sight.note(0, Some(&header(7, 12))).unwrap();
        assert_eq!(sight.note(0, Some(&header(7, 11))), Ok(()), "it was sent before 12 was shown");
        assert_eq!(sight.revision(), 12);
    }

    #[test]
    fn an_endpoint_of_another_cluster_is_found_out() {
        let sight = Sight::default();
        sight.note(0, Some(&header(7, 10))).unwrap();
        let found = sight.note(10, Some(&header(8, 99)));
        assert_eq!(found, Err(Estranged::OtherCluster { expected: 7, found: 8 }));
        assert_eq!(sight.revision(), 10);
    }

    #[test]
    fn a_cluster_that_went_back_is_found_out() {
        let sight = Sight::default();
        sight.note(0, Some(&header(7, 10))).unwrap();
        let found = sight.note(10, Some(&header(7, 9)));
        assert_eq!(found, Err(Estranged::WentBack { seen: 10, found: 9 }));
    }
}
