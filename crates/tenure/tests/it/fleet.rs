//! What the tests share: settings with short leases, and a witness that no two handlers ever act for one shard.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tenure::store::{Memory, Store};
use tenure::{Member, MemberId, OnStuck, Route, Settings, Shard, ShardId};

pub(crate) const SHARDS: u32 = 8;

/// Settings of the member `id`. Stuck work is waited for: a slow test machine must not abort the whole run.
pub(crate) fn settings(id: &str) -> Settings {
    let mut settings = Settings::default();
    settings.cluster = "orders".into();
    settings.shards = SHARDS;
    settings.member_id = Some(id.into());
    settings.lease_ttl = Duration::from_secs(1);
    settings.shard_rebalance_debounce = Some(Duration::from_millis(50));
    settings.on_stuck = OnStuck::Wait;
    settings
}

pub(crate) async fn start(store: impl Store, id: &str) -> Arc<Member> {
    start_with(store, settings(id)).await
}

pub(crate) async fn start_with(store: impl Store, settings: Settings) -> Arc<Member> {
    Arc::new(Member::builder(store).settings(settings).start().await.expect("the member starts"))
}

/// A member whose handlers act until they are to end.
pub(crate) async fn working(store: &Memory, id: &str, acts: &Acts) -> Arc<Member> {
    let member = start(store.clone(), id).await;
    let (runner, acts) = (Arc::clone(&member), acts.clone());
    tokio::spawn(async move { runner.run(move |shard| act(acts.clone(), shard)).await });
    member
}

/// Acts for the shard until it drains.
pub(crate) async fn act(acts: Acts, shard: Shard) -> Result<(), tenure::BoxError> {
    let _acting = acts.begin(&shard);
    shard.check()?;
    shard.drained().await;
    Ok(())
}

/// Keeps the shard until it drains.
pub(crate) async fn keep(shard: Shard) -> Result<(), tenure::BoxError> {
    shard.drained().await;
    Ok(())
}

/// Whether every shard has an owner.
pub(crate) fn all_owned(routes: &[Route]) -> bool {
    routes.iter().all(|route| route.owner.is_some())
}

/// How many shards `id` owns, of those that are not about to move.
pub(crate) fn owned_by(routes: &[Route], id: &MemberId) -> usize {
    routes.iter().filter(|route| route.owner.as_ref() == Some(id) && route.heir.is_none()).count()
}

/// Who acts, in this test: every handler signs in and out, and two at once are a violation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Acts(Arc<Mutex<Signed>>);

#[derive(Debug, Default)]
struct Signed {
    acting: BTreeMap<ShardId, u64>,
    last: BTreeMap<ShardId, u64>,
    violations: Vec<String>,
}

impl Acts {
    pub(crate) fn begin(&self, shard: &Shard) -> Acting {
        let (id, epoch) = (shard.id(), shard.epoch().0);
        let mut signed = self.0.lock().unwrap();
        if let Some(other) = signed.acting.insert(id, epoch) {
            signed.violations.push(format!("shard {id}: epochs {other} and {epoch} act at once"));
        }
        let last = signed.last.insert(id, epoch).unwrap_or(0);
        if epoch < last {
            signed.violations.push(format!("shard {id}: epoch {epoch} after {last}"));
        }
        Acting { acts: self.clone(), shard: id }
    }

    pub(crate) fn assert_exclusive(&self) {
        assert_eq!(self.0.lock().unwrap().violations, Vec::<String>::new());
    }
}

/// Signed in; dropping it signs out.
#[derive(Debug)]
pub(crate) struct Acting {
    acts: Acts,
    shard: ShardId,
}

impl Drop for Acting {
    fn drop(&mut self) {
        self.acts.0.lock().unwrap().acting.remove(&self.shard);
    }
}
