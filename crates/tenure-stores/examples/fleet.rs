//! Three processes divide the shards of a cluster through one SQLite file; one is killed, one leaves.
//!
//! `cargo run -p tenure-stores --example fleet` shows all of it by itself. To play, run a worker in each of several terminals,
//! and stop, kill or freeze them as you like: `cargo run -p tenure-stores --example fleet -- orders.db ada`.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use tenure::{BoxError, Member, Route, Shard};
use tenure_stores::sqlite::SqliteStore;

const SHARDS: u32 = 12;

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.as_slice() {
        [] => show().await,
        [file, name] => work(Path::new(file), name).await,
        _ => Err("say nothing, or a file and a name".into()),
    }
}

/// Plays through the life of a small fleet, of which this process is one member.
async fn show() -> Result<(), BoxError> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("orders.db");
    let ada = join(&file, "ada").await?;
    let (mut ben, mut cleo) = (start(&file, "ben")?, start(&file, "cleo")?);
    ada.router().until(|routes| ["ada", "ben", "cleo"].iter().all(|name| owned(routes, name) == 4)).await;
    println!("-- three processes own 4 of {SHARDS} shards each; now cleo is killed");

    cleo.kill()?;
    cleo.wait()?;
    ada.router().until(|routes| owned(routes, "ada") + owned(routes, "ben") == SHARDS as usize).await;
    println!("-- all shards have owners again; now ben leaves");

    drop(ben.stdin.take());
    ada.router().until(|routes| owned(routes, "ada") == SHARDS as usize).await;
    ben.wait()?;
    println!("-- ada owns all, and leaves too");
    Ok(ada.leave().await?)
}

/// Works until the input ends, then hands everything on.
async fn work(file: &Path, name: &str) -> Result<(), BoxError> {
    let member = join(file, name).await?;
    tokio::task::spawn_blocking(|| std::io::copy(&mut std::io::stdin(), &mut std::io::sink())).await??;
    Ok(member.leave().await?)
}

/// Starts this very program as a worker; it leaves when its input is closed.
fn start(file: &Path, name: &str) -> std::io::Result<Child> {
    Command::new(std::env::current_exe()?).arg(file).arg(name).stdin(Stdio::piped()).spawn()
}

async fn join(file: &Path, name: &str) -> Result<Arc<Member>, BoxError> {
    let store = SqliteStore::open(file).await?;
    let member = Member::builder(store).cluster("orders").shards(SHARDS).member_id(name).start().await?;
    let member = Arc::new(member);
    let (runner, name) = (Arc::clone(&member), name.to_owned());
    tokio::spawn(async move { runner.run(move |shard| take_orders(name.clone(), shard)).await });
    Ok(member)
}

/// Called once for each shard gained. A service would take the shard's orders here, and check before it answers each.
async fn take_orders(name: String, shard: Shard) -> Result<(), BoxError> {
    shard.check()?;
    println!("{name} takes shard {} at epoch {}", shard.id(), shard.epoch());
    shard.drained().await;
    println!("{name} gives shard {} up", shard.id());
    Ok(())
}

fn owned(routes: &[Route], name: &str) -> usize {
    let by_name = |route: &&Route| route.owner.as_ref().is_some_and(|owner| owner.as_str() == name);
    routes.iter().filter(by_name).filter(|route| route.heir.is_none()).count()
}
