//! A sink on S3 that refuses owners of the past: one object for each shard, with its owner's epoch in it.
//!
//! `AWS_ENDPOINT_URL=… cargo run -p tenure-stores --features object --example fence_s3 -- BUCKET` takes all that it needs from
//! the environment, as Amazon's own tools do.

use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt, PutMode, PutOptions, UpdateVersion};
use tenure::{BoxError, Epoch, Fence, ShardId};

/// The state of a shard, as its owner last wrote it.
#[derive(Debug)]
struct Ledger {
    epoch: u64,
    parcels: Vec<String>,
    /// What the object was when it was read; `None` if there was none.
    version: Option<UpdateVersion>,
}

/// Takes the object over: from here on no earlier owner can write it, since its ETag is another.
async fn claim(sink: &AmazonS3, fence: Fence) -> Result<Option<Ledger>, BoxError> {
    loop {
        let found = read(sink, fence.shard).await?;
        if found.epoch > fence.epoch.0 {
            return Ok(None); // a later owner was here
        }
        let claimed = Ledger { epoch: fence.epoch.0, ..found };
        if let Some(claimed) = write(sink, fence.shard, claimed).await? {
            return Ok(Some(claimed));
        }
    }
}

/// Writes over the very object that was read or written last; `None` if it is another by now.
async fn write(sink: &AmazonS3, shard: ShardId, ledger: Ledger) -> Result<Option<Ledger>, BoxError> {
    let body = format!("{}\n{}", ledger.epoch, ledger.parcels.join("\n"));
    let mode = ledger.version.clone().map_or(PutMode::Create, PutMode::Update);
    match sink.put_opts(&place(shard), body.into(), PutOptions::from(mode)).await {
        Ok(put) => Ok(Some(Ledger { version: Some(put.into()), ..ledger })),
        Err(Error::Precondition { .. } | Error::AlreadyExists { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

async fn read(sink: &AmazonS3, shard: ShardId) -> Result<Ledger, BoxError> {
    let object = match sink.get(&place(shard)).await {
        Ok(object) => object,
        Err(Error::NotFound { .. }) => return Ok(Ledger { epoch: 0, parcels: Vec::new(), version: None }),
        Err(error) => return Err(error.into()),
    };
    let version = UpdateVersion { e_tag: object.meta.e_tag.clone(), version: None };
    let text = String::from_utf8(object.bytes().await?.to_vec())?;
    let (epoch, parcels) = text.split_once('\n').ok_or("an object without an epoch")?;
    let parcels = parcels.lines().map(str::to_owned).collect();
    Ok(Ledger { epoch: epoch.parse()?, parcels, version: Some(version) })
}

fn place(shard: ShardId) -> Path {
    Path::from(format!("fence-example-{}/{shard}", std::process::id()))
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let bucket = std::env::args().nth(1).ok_or("say the name of a bucket")?;
    let _ = rustls::crypto::ring::default_provider().install_default();
    let sink = AmazonS3Builder::from_env().with_bucket_name(bucket).build()?;
    let shown = show(&sink).await;
    sink.delete(&place(ShardId(0))).await?;
    shown
}

/// The owner at epoch 1 goes on writing after the one at epoch 2 has begun.
async fn show(sink: &AmazonS3) -> Result<(), BoxError> {
    let [first, second] = [1, 2].map(|epoch| Fence { shard: ShardId(0), epoch: Epoch(epoch) });
    let old = claim(sink, first).await?.ok_or("nobody was here before")?;
    let old = write(sink, first.shard, ship(old, "a lamp")).await?.ok_or("nobody else writes yet")?;
    println!("a lamp, by owner {first}: shipped");

    let new = claim(sink, second).await?.ok_or("nobody came later")?;
    let new = write(sink, second.shard, ship(new, "a chair")).await?.ok_or("nobody else may write")?;
    println!("a chair, by owner {second}: shipped");
    assert!(write(sink, first.shard, ship(old, "a bed")).await?.is_none());
    assert!(claim(sink, first).await?.is_none());
    println!("a bed, by owner {first}: refused, a later owner was here");

    let last = write(sink, second.shard, ship(new, "a table")).await?.ok_or("nobody else may write")?;
    assert_eq!(read(sink, second.shard).await?.parcels, last.parcels);
    assert_eq!(last.parcels, ["a lamp", "a chair", "a table"]);
    Ok(())
}

fn ship(mut ledger: Ledger, parcel: &str) -> Ledger {
    ledger.parcels.push(parcel.to_owned());
    ledger
}
