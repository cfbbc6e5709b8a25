//! What a cluster costs its store while nothing moves: `cargo bench -p tenure --bench idle`.
//!
//! Three members, the default ttl of the settings, one shared counter in front of the store. Every call is counted, by
//! everybody, for a minute; the number of shards must not show in the writes.

use std::sync::Arc;
use std::time::Duration;

use tenure::clock::Clock;
use tenure::store::Memory;
use tenure::store::layer::Metered;
use tenure::{BoxError, Member, Shard};

const TTL: Duration = Duration::from_secs(10);
const MEMBERS: usize = 3;

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let span = Duration::from_secs(if quick { 10 } else { 60 });
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    for shards in [16, 100_000] {
        runtime.block_on(measure(shards, span));
    }
}

async fn measure(shards: u32, span: Duration) {
    let store = Arc::new(Metered::new(Memory::new(), Clock::boot()));
    let members = start(&store, shards).await;
    settle(&members, shards).await;
    let before = store.snapshot();
    Clock::boot().sleep(span).await;
    let after = store.snapshot();
    let per_second = |later: u64, earlier: u64| (later - earlier) as f64 / span.as_secs_f64();
    println!(
        "{shards} shards, {MEMBERS} members, ttl {TTL:?}: {:.2} writes/s, {:.2} reads/s, {:.2} listings/s",
        per_second(after.put.calls(), before.put.calls()),
        per_second(after.get.calls(), before.get.calls()),
        per_second(after.list.calls(), before.list.calls()),
    );
}

async fn start(store: &Arc<Metered<Memory>>, shards: u32) -> Vec<Arc<Member>> {
    let mut members = Vec::new();
    for index in 0..MEMBERS {
        let builder = Member::builder(Arc::clone(store)).cluster("idle").shards(shards).lease_ttl(TTL);
        let member = Arc::new(builder.member_id(format!("m{index}")).start().await.expect("a member"));
        let running = Arc::clone(&member);
        tokio::spawn(async move { running.run(wait).await });
        members.push(member);
    }
    members
}

async fn wait(shard: Shard) -> Result<(), BoxError> {
    shard.drained().await;
    Ok(())
}

/// Waits until every shard has an owner, no heir is left and the members have been at rest for a ttl.
async fn settle(members: &[Arc<Member>], shards: u32) {
    let share = shards as usize / MEMBERS;
    let settled = |tenures: usize| tenures.abs_diff(share) <= 1;
    while !members.iter().all(|member| settled(member.metrics().tenures)) {
        Clock::boot().sleep(Duration::from_millis(200)).await;
    }
    Clock::boot().sleep(TTL).await;
}
