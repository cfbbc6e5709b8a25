//! Two members divide the shards of one cluster, then one of them leaves and the other takes all.
//!
//! Both run in this process, on the in-process store, so that there is nothing to install:
//! `cargo run --example orders`.

use std::sync::Arc;

use tenure::store::Memory;
use tenure::{BoxError, Member, Route, Shard};

const SHARDS: u32 = 8;

#[tokio::main]
async fn main() -> Result<(), tenure::Error> {
    let store = Memory::new();
    let anna = join(&store, "anna").await?;
    let ben = join(&store, "ben").await?;
    anna.router().until(|routes| owned(routes, "anna") == 4 && owned(routes, "ben") == 4).await;
    println!(
        "order-17 is in shard {}, which {:?} owns",
        anna.shard_of("order-17"),
        anna.owner_of("order-17")
    );

    anna.leave().await?;
    ben.router().until(|routes| owned(routes, "ben") == SHARDS as usize).await;
    println!("anna left; ben owns all {SHARDS} shards");
    ben.leave().await
}

async fn join(store: &Memory, name: &'static str) -> Result<Arc<Member>, tenure::Error> {
    let builder = Member::builder(store.clone()).cluster("orders").shards(SHARDS);
    let member = Arc::new(builder.member_id(name).start().await?);
    let runner = Arc::clone(&member);
    tokio::spawn(async move { runner.run(move |shard| take_orders(name, shard)).await });
    Ok(member)
}

/// Called once for each shard gained. A service would read the shard's orders here, and check before it answers each.
async fn take_orders(name: &'static str, shard: Shard) -> Result<(), BoxError> {
    shard.check()?;
    println!("{name} takes shard {} at epoch {}", shard.id(), shard.epoch());
    shard.drained().await;
    println!("{name} gives shard {} up", shard.id());
    Ok(())
}

fn owned(routes: &[Route], name: &str) -> usize {
    let owned_by = |route: &&Route| route.owner.as_ref().is_some_and(|owner| owner.as_str() == name);
    routes.iter().filter(owned_by).filter(|route| route.heir.is_none()).count()
}
