//! What a worker can do beside working: finish when it is told to, load before it owns, live on events, fail well.
//!
//! The guide, docs/guide/library.md, shows each of these functions; `cargo run -p tenure --example lessons` runs them.
#![expect(
    clippy::disallowed_methods,
    reason = "a user's work may wait by tokio's clock; the library may not"
)]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tenure::store::Memory;
use tenure::{BoxError, Error, ErrorKind, Event, Fence, Member, Route, Shard, ShardId};

/// A planned move begins with draining: what is begun is finished, nothing new is begun.
async fn ship(shard: Shard) -> Result<(), BoxError> {
    let mut orders = tokio::time::interval(Duration::from_millis(10));
    loop {
        tokio::select! {
            _ = orders.tick() => shard.check()?, // then ship one
            () = shard.drained() => break,
        }
    }
    println!("{} writes down where it stopped", shard.fence());
    Ok(())
}

/// The books of a shard, read while its former owner still writes them: they may be a little old.
async fn load(coming: Fence) -> Result<BTreeMap<u64, String>, BoxError> {
    println!("loading the books of shard {}", coming.shard);
    Ok(BTreeMap::from([(1, "a lamp".to_owned())]))
}

/// Called with what was loaded, once the shard is this member's.
async fn keep(shard: Shard, books: BTreeMap<u64, String>) -> Result<(), BoxError> {
    shard.check()?;
    println!("{} begins with {} orders", shard.fence(), books.len());
    shard.drained().await;
    Ok(())
}

/// Ownership as a stream: for those who have tasks of their own, and want no handlers.
async fn follow(member: &Member) -> Result<(), Error> {
    let mut held: BTreeMap<ShardId, Shard> = BTreeMap::new();
    let mut events = member.events().await?;
    while let Some(event) = events.next().await {
        match event {
            Event::Joined => println!("a lease is held; shards may follow"),
            Event::Gained(shard) => drop(held.insert(shard.id(), shard)),
            Event::Draining { fence, limit } => {
                println!("{fence} must go within {limit:?}");
                held.remove(&fence.shard); // dropped: it may go
            }
            Event::Resumed(fence) => println!("{fence} stays after all"),
            Event::Lost(fence) => drop(held.remove(&fence.shard)), // end its work first
            Event::Lapsed(reason) => println!("no lease any more: {reason:?}"),
            _ => {} // later versions may tell more
        }
    }
    Ok(())
}

/// Work that fails is called again after 200 ms, then after twice as long each time, up to 30 s.
async fn clumsy(shard: Shard) -> Result<(), BoxError> {
    if shard.epoch().0 == 1 {
        return Err("the scales are broken".into());
    }
    shard.drained().await;
    Ok(())
}

/// What to do next is the kind of an error; what happened is its message.
fn advice(error: &Error) -> &'static str {
    match error.kind() {
        ErrorKind::Lapsed | ErrorKind::Closed => "stop: this life is over",
        ErrorKind::NotOwner | ErrorKind::Moving => "ask the router, and try there",
        ErrorKind::Unavailable | ErrorKind::Busy => "try again after a pause",
        ErrorKind::Indeterminate => "read before you write again",
        ErrorKind::Denied => "grant what the message names",
        ErrorKind::Invalid => "correct what the message names",
        ErrorKind::Incompatible => "upgrade, or repair the record",
        _ => "report it",
    }
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let store = Memory::new();
    let ada = join(&store, "ada").await?;
    let shipping = tokio::spawn({
        let ada = Arc::clone(&ada);
        async move { ada.run(ship).await }
    });
    owns_all(&ada, "ada").await;

    let ben = join(&store, "ben").await?;
    let keeping = tokio::spawn({
        let ben = Arc::clone(&ben);
        async move { ben.run_warmed(load, keep).await }
    });
    ada.leave().await?;
    shipping.await??;
    owns_all(&ben, "ben").await;

    let cleo = join(&store, "cleo").await?;
    let following = tokio::spawn({
        let cleo = Arc::clone(&cleo);
        async move { follow(&cleo).await }
    });
    ben.leave().await?;
    keeping.await??;
    owns_all(&cleo, "cleo").await;
    cleo.leave().await?;
    following.await??;
    fail().await
}

/// Settings that make no sense are refused before anything is written; work that fails is told in the member's record.
async fn fail() -> Result<(), BoxError> {
    let refused = Member::builder(Memory::new()).cluster("orders").shards(0).start().await;
    let error = refused.expect_err("a cluster has at least one shard");
    println!("{error}: {}", advice(&error));

    let member = join(&Memory::new(), "dan").await?;
    let running = tokio::spawn({
        let member = Arc::clone(&member);
        async move { member.run(clumsy).await }
    });
    owns_all(&member, "dan").await;
    member.leave().await?;
    Ok(running.await??)
}

async fn join(store: &Memory, name: &str) -> Result<Arc<Member>, Error> {
    let builder = Member::builder(store.clone()).cluster("orders").shards(4).member_id(name);
    Ok(Arc::new(builder.start().await?))
}

async fn owns_all(member: &Member, name: &str) {
    let by_name = |route: &Route| route.owner.as_ref().is_some_and(|owner| owner.as_str() == name);
    member.router().until(|routes| routes.iter().all(|route| by_name(route) && route.heir.is_none())).await;
}
