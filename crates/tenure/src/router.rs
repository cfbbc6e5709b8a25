//! Where a key belongs: key → shard → member.
//!
//! A route is what the ledger said when this member last read it: good for sending a request the right way, never a
//! permission to act. Only a guard that holds is that.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use tenure_core::ids::{Epoch, MemberId, ShardId};
use tenure_core::member::Snapshot;
use tenure_core::plan::shard_of;
use tenure_core::survey::HoldingView;
use tokio::sync::watch;

/// Who owns one shard, as far as is known here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Route {
    /// The shard.
    pub shard: ShardId,
    /// Its owner; `None` while it has none.
    pub owner: Option<MemberId>,
    /// The owner's epoch.
    pub epoch: Epoch,
    /// Where the owner is reached, by its own word.
    pub address: Option<Arc<str>>,
    /// Who takes it next, if it is about to move.
    pub heir: Option<MemberId>,
    /// Where the heir is reached, by its own word.
    pub heir_address: Option<Arc<str>>,
}

/// The whole ledger, as routes.
#[derive(Debug)]
pub(crate) struct Table(Vec<Route>);

impl Table {
    /// The routes of a cluster of which nothing but its size is known yet.
    pub(crate) fn blank(shards: u32) -> Self {
        Self((0..shards).map(|shard| Route::blank(ShardId(shard))).collect())
    }

    /// The routes that `snapshot` shows, of a cluster with `shards` shards.
    pub(crate) fn of(shards: u32, snapshot: Snapshot) -> Self {
        let mut table = Self::blank(shards);
        let known: BTreeMap<&MemberId, &Arc<str>> =
            snapshot.members.iter().filter_map(|view| Some((&view.id, view.address.as_ref()?))).collect();
        let address =
            |id: &Option<MemberId>| id.as_ref().and_then(|id| known.get(id)).map(|known| Arc::clone(known));
        for view in snapshot.holdings {
            if let Some(route) = table.0.get_mut(view.shard.0 as usize) {
                let (address, heir_address) = (address(&view.owner), address(&view.heir));
                let HoldingView { shard, owner, epoch, heir, .. } = view;
                *route = Route { shard, owner, epoch, address, heir, heir_address };
            }
        }
        table
    }
}

impl Route {
    fn blank(shard: ShardId) -> Self {
        Self { shard, owner: None, epoch: Epoch(0), address: None, heir: None, heir_address: None }
    }
}

/// Finds the owner of a key. Cheap to clone; all clones know the same, and go on knowing it after the member has left.
#[derive(Clone, Debug)]
pub struct Router {
    shards: u32,
    table: watch::Receiver<Arc<Table>>,
}

impl Router {
    pub(crate) fn new(shards: u32) -> (watch::Sender<Arc<Table>>, Self) {
        let (sender, table) = watch::channel(Arc::new(Table::blank(shards)));
        (sender, Self { shards, table })
    }

    /// The shard of a key: the same for everybody, for ever, as long as the cluster has this many shards.
    pub fn shard_of(&self, key: impl AsRef<[u8]>) -> ShardId {
        shard_of(key.as_ref(), self.shards)
    }

    /// The member that owns a key's shard, or the heir of an owner that has ended; `None` while nobody does, or nothing is
    /// known yet.
    pub fn owner_of(&self, key: impl AsRef<[u8]>) -> Option<MemberId> {
        let route = self.route(self.shard_of(key))?;
        route.owner.or(route.heir)
    }

    /// Where the owner of a key's shard is reached, or the heir of an owner that has ended; `None` while nobody owns it, or if they
    /// said no address.
    pub fn address_of(&self, key: impl AsRef<[u8]>) -> Option<Arc<str>> {
        let route = self.route(self.shard_of(key))?;
        if route.owner.is_some() { route.address } else { route.heir_address }
    }

    /// All that is known of a shard; `None` for a shard that the cluster doesn't have.
    pub fn route(&self, shard: ShardId) -> Option<Route> {
        self.table.borrow().0.get(shard.0 as usize).cloned()
    }

    /// Every shard's route, in order.
    pub fn routes(&self) -> Vec<Route> {
        self.table.borrow().0.clone()
    }

    /// Completes when the routes were drawn up anew since this very clone was last asked. `false`: the member has ended, and they never
    /// will be. Cancel-safe.
    pub async fn changed(&mut self) -> bool {
        self.table.changed().await.is_ok()
    }

    /// Completes once the routes fulfil `wish`. `false`: the member has ended, and they never will. Cancel-safe.
    pub async fn until(&self, mut wish: impl FnMut(&[Route]) -> bool) -> bool {
        self.table.clone().wait_for(|table| wish(&table.0)).await.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_out_of_range_has_no_route() {
        let (_sender, router) = Router::new(7);
        assert_eq!(router.route(ShardId(7)), None);
        assert_eq!(router.route(ShardId(6)).map(|route| route.owner), Some(None));
    }
}
