//! Sixteen writers at once: exactly one may win, and what it wrote must be there.

use bytes::Bytes;
use futures_util::future::join_all;
use tenure::store::{Read, SharedStore, StoreError, When, Written};

use super::trial::{Finding, kept_if};
use crate::exit::Failure;

const WRITERS: usize = 16;

/// Sixteen creations of one key.
pub(super) async fn creations(store: &SharedStore, key: &str) -> Result<Finding, Failure> {
    race(store, key, &When::Absent).await
}

/// Sixteen replacements of one version.
pub(super) async fn replacements(store: &SharedStore, key: &str) -> Result<Finding, Failure> {
    match store.put(key, Bytes::from_static(b"start"), When::Absent).await? {
        Written::Stored(version) => race(store, key, &When::Is(version)).await,
        Written::Conflict => Ok(Finding::Broken("it refused to create a key that nobody uses".into())),
    }
}

async fn race(store: &SharedStore, key: &str, when: &When) -> Result<Finding, Failure> {
    let writes = (0..WRITERS).map(|writer| {
        let (store, key, when) = (store.clone(), key.to_owned(), when.clone());
        tokio::spawn(async move { store.put(&key, writer.to_string().into(), when).await })
    });
    let ends = join_all(writes).await.into_iter().map(|end| end.expect("a store does not panic"));
    let ends: Vec<Written> = ends.collect::<Result<_, StoreError>>()?;
    let winners: Vec<usize> = ends
        .iter()
        .zip(0..)
        .filter(|(end, _)| **end != Written::Conflict)
        .map(|(_, writer)| writer)
        .collect();
    let [winner] = winners[..] else { return Ok(Finding::Broken(format!("{} won", winners.len()))) };
    let there =
        matches!(store.get(key, None).await?, Read::Found(record) if record.value == winner.to_string());
    Ok(kept_if(there, "what the winner wrote is not there"))
}
