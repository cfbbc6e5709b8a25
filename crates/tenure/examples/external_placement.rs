//! Somebody else says who should own what, such as a scheduler of yours; the moves are as safe as any others.
//!
//! `cargo run -p tenure --example external_placement`

use std::sync::Arc;

use tenure::store::Memory;
use tenure::{BoxError, Error, Member, Placement, Route, Shard, ShardId};

async fn work(shard: Shard) -> Result<(), BoxError> {
    shard.drained().await;
    Ok(())
}

async fn join(store: &Memory, name: &str) -> Result<Arc<Member>, Error> {
    let builder = Member::builder(store.clone()).cluster("orders").shards(4).member_id(name);
    let member = Arc::new(builder.placement(Placement::External).start().await?);
    let runner = Arc::clone(&member);
    tokio::spawn(async move { runner.run(work).await });
    Ok(member)
}

/// Says to each member which shards it should own, and waits until it does. Each of them could be told in a process of its own.
async fn place(plan: &[(&Member, &[u32])]) {
    for (member, shards) in plan {
        member.want(shards.iter().copied().map(ShardId));
    }
    for (member, shards) in plan {
        let owned = |route: &Route| route.owner.as_ref() == Some(member.id());
        member.router().until(|routes| shards.iter().all(|shard| owned(&routes[*shard as usize]))).await;
        println!("{} owns shards {shards:?}", member.id());
    }
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let store = Memory::new();
    let (ada, ben) = (join(&store, "ada").await?, join(&store, "ben").await?);
    place(&[(&ada, &[0, 1]), (&ben, &[2, 3])]).await;
    place(&[(&ada, &[0, 3]), (&ben, &[1, 2])]).await; // two change hands: drained here, then begun there
    place(&[(&ada, &[]), (&ben, &[0, 1, 2, 3])]).await; // what nobody else wants stays, so ada could not leave before
    ada.leave().await?;
    Ok(ben.leave().await?)
}
