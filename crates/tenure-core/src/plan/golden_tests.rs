//! What never changes: keys for ever, plans for as long as [`PLAN_VERSION`](super::PLAN_VERSION) is the same.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

use super::sample::*;
use super::{Placement, plan, rank, shard_of};

/// Known to people who route in other languages: it never changes.
const KEYS: &str = include_str!("../../golden/keys.json");

#[derive(serde::Deserialize)]
struct Keys {
    keys: Vec<Known>,
}

#[derive(serde::Deserialize)]
struct Known {
    text: Option<String>,
    hex: String,
    hash: String,
    shards: BTreeMap<u32, u32>,
}

impl Known {
    fn bytes(&self) -> Vec<u8> {
        let digits: Vec<char> = self.hex.chars().collect();
        let byte = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap();
        digits.chunks(2).map(byte).collect()
    }
}

#[test]
fn keys_find_their_shards_for_ever() {
    let known: Keys = serde_json::from_str(KEYS).unwrap();
    assert_eq!(known.keys.len(), 16);
    for one in known.keys {
        let key = one.bytes();
        assert!(one.text.as_ref().is_none_or(|text| text.as_bytes() == key), "{}", one.hex);
        assert_eq!(format!("{:016x}", xxh3_64(&key)), one.hash, "{}", one.hex);
        assert_eq!(one.shards.len(), 8);
        for (count, shard) in one.shards {
            assert_eq!(shard_of(&key, count).0, shard, "{} among {count}", one.hex);
        }
    }
}

#[test]
fn every_key_has_a_shard_that_exists() {
    for count in [1, 2, 3, 7, 256, u32::MAX] {
        assert!((0..1_000_u32).all(|key| shard_of(&key.to_le_bytes(), count).0 < count));
    }
    assert_eq!(shard_of(b"anything", 0).0, 0);
}

#[test]
fn keys_are_spread_over_shards() {
    let mut counts = [0; 16];
    for key in 0..16_000 {
        counts[shard_of(format!("user:{key}").as_bytes(), 16).0 as usize] += 1;
    }
    assert!(counts.iter().all(|&count| (850..1_150).contains(&count)), "{counts:?}");
}

#[test]
fn ranks_are_the_same_everywhere() {
    let ids: Vec<_> = members(5).into_iter().map(|candidate| candidate.id).collect();
    let ranks = |thing| ids.iter().map(|me| rank(thing, me, &ids)).collect::<Vec<_>>();
    assert_eq!(ranks("ledger/0"), [0, 4, 2, 3, 1]);
    assert_eq!(ranks("ledger/1"), [4, 1, 0, 3, 2]);
    assert_eq!(ranks("members/name-3"), [2, 4, 1, 0, 3]);
}

/// One letter for each shard: the home's.
fn text(homes: &[Option<u32>]) -> String {
    homes.iter().map(|home| char::from(b'a' + home.unwrap() as u8)).collect()
}

/// The plan of three equal members; then with a fourth; of three with weights 1, 2, 5; and the hash of a larger one.
fn assert_golden(placement: Placement, three: &str, four: &str, mixed: &str, forty: u64) {
    let homes = fresh(placement, &members(3), 24);
    assert_eq!(text(&homes), three);
    assert_eq!(text(&plan(placement, &picture(&members(4), &homes))), four);
    assert_eq!(text(&fresh(placement, &[weighted("a", 1), weighted("b", 2), weighted("c", 5)], 24)), mixed);
    assert_eq!(xxh3_64(text(&fresh(placement, &members(40), 4_096)).as_bytes()), forty);
}

#[test]
fn rendezvous_plans_are_the_same_everywhere() {
    assert_golden(
        Placement::Rendezvous,
        "caaaabbccbcbcccabaabbabc",
        "caaddbbccddbcccabaabdabd",
        "cccbcccbcccccccaacacbbbb",
        0x1b39_0056_77e5_5320,
    );
}

#[test]
fn ring_plans_are_the_same_everywhere() {
    assert_golden(
        Placement::Ring,
        "bccbcabbabcabbbaccaccaaa",
        "bcddcabbdbcadbbdcdaccaaa",
        "ccbbbcbcbbccaccaccaccccc",
        0x7f58_733f_7f13_8461,
    );
}

#[test]
fn range_plans_are_the_same_everywhere() {
    assert_golden(
        Placement::Ranges,
        "aaaaaaaabbbbbbbbcccccccc",
        "aaaaaaddddbbbbbbccccccdd",
        "aaabbbbbbccccccccccccccc",
        0xe7c8_8cc5_d405_fabc,
    );
}
