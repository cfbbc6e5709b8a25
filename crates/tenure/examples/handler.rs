//! What a handler can do beside working: finish when it is told to, and fail well.
//!
//! The guide, docs/guide/library.md, shows each of these functions; `cargo run -p tenure --example handler` runs them.
#![expect(
    clippy::disallowed_methods,
    reason = "a user's work may wait by tokio's clock; the library may not"
)]

use std::sync::Arc;
use std::time::Duration;

use tenure::store::Memory;
use tenure::{BoxError, Error, ErrorKind, Member, Route, Shard};

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

    ada.leave().await?;
    shipping.await??;
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
