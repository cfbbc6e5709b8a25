//! Which shard a key belongs to.
//!
//! Frozen: every process that ever routed a key must find it again, whatever version it runs. The rule is
//! `xxh3_64(key) · shards / 2⁶⁴`, seed 0, the product taken in 128 bits. The keys in
//! `golden/keys.json`, which people in other languages test by, never change.

use xxhash_rust::xxh3::xxh3_64;

use crate::ids::ShardId;

/// The shard of a key among `shards` shards. (Of no shards at all: shard 0, which then nobody owns.)
pub fn shard_of(key: &[u8], shards: u32) -> ShardId {
    let wide = u128::from(xxh3_64(key)) * u128::from(shards);
    ShardId((wide >> 64) as u32)
}
