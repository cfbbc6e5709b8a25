//! Leader election in one line: the leader is the owner of a cluster's only shard. `cargo run -p tenure --example leader`.

use std::collections::BTreeMap;

use tenure::store::Memory;
use tenure::{BoxError, Error, Member, Shard};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

/// Stands for election until this process ends. `lead` is called when it wins, and dropped when it must not lead any more.
async fn stand(store: Memory, name: &'static str, told: UnboundedSender<Win>) -> Result<(), Error> {
    let lead = move |term| lead(term, name, told.clone());
    Member::builder(store).cluster("mailer").shards(1).member_id(name).start().await?.run(lead).await
}

/// The leader's work. It ends with the term, and not before: who returns early is not followed by another.
async fn lead(term: Shard, name: &'static str, told: UnboundedSender<Win>) -> Result<(), BoxError> {
    term.check()?; // before each effect
    told.send((name, term.epoch().0))?;
    term.drained().await;
    Ok(())
}

/// Who leads, and in which term.
type Win = (&'static str, u64);

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let store = Memory::new(); // one that all processes reach, in a program of yours
    let (told, mut wins) = unbounded_channel();
    let stand = |name| (name, tokio::spawn(stand(store.clone(), name, told.clone())));
    let standing = BTreeMap::from(["ada", "ben"].map(stand));

    let (first, term) = wins.recv().await.ok_or("somebody leads")?;
    println!("{first} leads, in term {term}");
    standing[first].abort(); // as if its process ended
    let (second, term) = wins.recv().await.ok_or("somebody else leads")?;
    println!("{first} is gone; {second} leads, in term {term}");
    Ok(())
}
