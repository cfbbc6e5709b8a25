//! Load before you own: what takes long is read while the former owner still works. `cargo run -p tenure --example warm_up`.

use std::collections::BTreeMap;
use std::sync::Arc;

use tenure::store::Memory;
use tenure::{BoxError, Error, Fence, Member, Shard};

/// The books of a shard: its orders, by number.
type Books = BTreeMap<u64, String>;

/// Called as soon as the shard is promised. Its former owner may still write: what is read here may be a little old.
async fn load(coming: Fence) -> Result<Books, BoxError> {
    println!("loading the books of shard {} for owner number {}", coming.shard, coming.epoch);
    Ok(Books::from([(1, "a lamp".to_owned())]))
}

/// Called with what was loaded, once the shard is this member's.
async fn keep(shard: Shard, books: Books) -> Result<(), BoxError> {
    shard.check()?;
    println!("{} begins with {} order", shard.fence(), books.len());
    shard.drained().await;
    Ok(())
}

async fn join(store: &Memory, name: &str) -> Result<Arc<Member>, Error> {
    let builder = Member::builder(store.clone()).cluster("orders").shards(1).member_id(name);
    let member = Arc::new(builder.start().await?);
    let runner = Arc::clone(&member);
    tokio::spawn(async move { runner.run_warmed(load, keep).await });
    Ok(member)
}

async fn owns(member: &Member) {
    member.router().until(|routes| routes[0].owner.as_ref() == Some(member.id())).await;
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let store = Memory::new();
    let ada = join(&store, "ada").await?;
    owns(&ada).await;
    let ben = join(&store, "ben").await?;
    ada.leave().await?;
    owns(&ben).await;
    Ok(ben.leave().await?)
}
