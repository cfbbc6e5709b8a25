//! Where answers come from.

use std::sync::Arc;

use async_trait::async_trait;
use tenure::cluster::Survey;

/// What is known of a cluster, and how old that is.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// What is known.
    pub survey: Arc<Survey>,
    /// How long ago it was drawn up, in milliseconds: the ages in it count from then.
    pub drawn_ago_ms: u64,
    /// How long ago the store was last looked at as a whole, in milliseconds.
    pub seen_ago_ms: u64,
}

/// Somebody who looks at a cluster.
#[async_trait]
pub trait Source: Send + Sync + 'static {
    /// What is known now; `None` if the cluster was not seen yet.
    async fn drawn(&self) -> Option<Drawn>;

    /// Completes when something may have changed. Cancel-safe.
    async fn changed(&self);
}
