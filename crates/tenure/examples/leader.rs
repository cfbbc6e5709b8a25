//! One leader at a time: the owner of a cluster's only shard. `cargo run -p tenure --example leader`.

use std::sync::Arc;

use tenure::store::Memory;
use tenure::{BoxError, Member, Shard};

/// Called when this process becomes the leader, and ended when it must not lead any more.
async fn lead(term: Shard) -> Result<(), BoxError> {
    println!("leading, in term {}", term.epoch());
    term.drained().await;
    Ok(())
}

/// Stands by until this process has left.
async fn stand(member: Arc<Member>) -> Result<(), tenure::Error> {
    member.run(lead).await
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let store = Memory::new(); // one that all processes reach, in a program of yours
    let join =
        |name: &str| Member::builder(store.clone()).cluster("mailer").shards(1).member_id(name).start();
    let (ada, ben) = (Arc::new(join("ada").await?), Arc::new(join("ben").await?));
    let standing = [tokio::spawn(stand(Arc::clone(&ada))), tokio::spawn(stand(Arc::clone(&ben)))];

    ada.router().until(|routes| routes[0].owner.is_some()).await;
    let (leader, other) = if ada.owner_of("").as_ref() == Some(ada.id()) { (ada, ben) } else { (ben, ada) };
    leader.leave().await?;
    other.router().until(|routes| routes[0].owner.as_ref() == Some(other.id())).await;
    println!("{} left, {} leads", leader.id(), other.id());
    other.leave().await?;
    for end in standing {
        end.await??;
    }
    Ok(())
}
