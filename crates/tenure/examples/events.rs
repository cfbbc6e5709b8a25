//! Events in place of handlers, for programs that have tasks of their own. `cargo run -p tenure --example events`.

use std::collections::BTreeMap;

use tenure::store::Memory;
use tenure::{BoxError, Error, Event, Events, Member, Route, Shard, ShardId};

/// Keeps each shard for as long as there is work for it: dropping it says that the work has ended.
async fn follow(name: &str, mut events: Events) {
    let mut held: BTreeMap<ShardId, Shard> = BTreeMap::new();
    while let Some(event) = events.next().await {
        match event {
            Event::Joined => println!("{name} has a lease; shards may follow"),
            Event::Gained(shard) => {
                println!("{name} gains {}", shard.fence());
                held.insert(shard.id(), shard);
            }
            Event::Draining { fence, limit } => {
                println!("{name} gives {fence} up, which may take {limit:?}");
                held.remove(&fence.shard); // dropped: it may go
            }
            Event::Resumed(fence) => println!("{fence} stays after all"),
            Event::Lost(fence) => drop(held.remove(&fence.shard)), // end its work first
            Event::Lapsed(reason) => println!("{name} has no lease any more: {reason:?}"),
            _ => {} // later versions may tell more
        }
    }
    println!("{name} has left with {} shards", held.len());
}

async fn join(store: &Memory, name: &'static str) -> Result<Member, Error> {
    let builder = Member::builder(store.clone()).cluster("orders").shards(2).member_id(name);
    let member = builder.start().await?;
    tokio::spawn(follow(name, member.events().await?));
    Ok(member)
}

/// Completes when `member` owns so many shards, and none is on its way.
async fn owns(member: &Member, count: usize) {
    let owned = |route: &&Route| route.owner.as_ref() == Some(member.id()) && route.heir.is_none();
    member.router().until(|routes| routes.iter().filter(owned).count() == count).await;
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let store = Memory::new();
    let ada = join(&store, "ada").await?;
    owns(&ada, 2).await;
    let ben = join(&store, "ben").await?; // one of the shards moves to him
    owns(&ben, 1).await;
    ada.leave().await?;
    owns(&ben, 2).await;
    Ok(ben.leave().await?)
}
