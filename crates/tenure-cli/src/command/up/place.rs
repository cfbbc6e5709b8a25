//! Where a show keeps its things: one temporary folder, gone when the show is over.

use std::path::Path;

use tenure_core::ids::ClusterName;

/// The name of the cluster.
pub(super) const CLUSTER: &str = "up";

/// The address of the store in `folder`.
pub(super) fn store(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("tenure.db").display())
}

/// The cluster.
pub(super) fn cluster() -> ClusterName {
    CLUSTER.parse().expect("two letters are a name")
}
