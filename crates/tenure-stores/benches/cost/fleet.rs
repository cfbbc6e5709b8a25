//! Members in one process, each with a handle of its own.

use std::sync::Arc;
use std::time::Duration;

use tenure::clock::Clock;
use tenure::store::SharedStore;
use tenure::store::layer::Metered;
use tenure::{BoxError, Member, Shard};

use super::TTL;
use super::tally::Tally;

/// A store whose calls are counted.
pub(crate) type Store = Arc<Metered<SharedStore>>;

pub(crate) struct Fleet {
    members: Vec<Arc<Member>>,
    pub(crate) stores: Vec<Store>,
}

impl Fleet {
    /// Members that are at rest, each with its share.
    pub(crate) async fn start(tally: &Tally, members: usize, shards: u32) -> Self {
        let mut fleet = Self { members: Vec::new(), stores: Vec::new() };
        let cluster = format!("cost-{:08x}", fastrand::u32(..));
        for index in 0..members {
            fleet.add(tally.address(), &cluster, index, shards).await;
        }
        fleet.settle(shards as usize / members).await;
        Clock::boot().sleep(2 * TTL).await;
        fleet
    }

    async fn add(&mut self, address: &str, cluster: &str, index: usize, shards: u32) {
        let opened = tenure_stores::open(address).await.expect("a store");
        let store = Arc::new(Metered::new(opened, Clock::boot()));
        let builder = Member::builder(Arc::clone(&store)).cluster(cluster).shards(shards).lease_ttl(TTL);
        let member = Arc::new(builder.member_id(format!("m{index}")).start().await.expect("a member"));
        let running = Arc::clone(&member);
        tokio::spawn(async move { running.run(wait).await });
        self.members.push(member);
        self.stores.push(store);
    }

    /// Waits until everybody acts for its share.
    pub(crate) async fn settle(&self, share: usize) {
        let settled = |member: &Arc<Member>| member.metrics().tenures.abs_diff(share) <= 1;
        while !self.members.iter().all(settled) {
            Clock::boot().sleep(Duration::from_millis(50)).await;
        }
    }

    /// One member leaves; the others succeed it.
    pub(crate) async fn leave_one(&mut self) {
        let member = self.members.pop().expect("a member");
        member.leave().await.expect("it leaves");
    }

    pub(crate) async fn leave(self) {
        for member in self.members {
            // The next fleet has a cluster of its own, whatever becomes of this one.
            let _ = member.leave().await;
        }
    }
}

async fn wait(shard: Shard) -> Result<(), BoxError> {
    shard.drained().await;
    Ok(())
}
