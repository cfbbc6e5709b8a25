//! Spoils bytes: by their structure where they are JSON, and by force.

use fastrand::Rng;
use serde_json::Value;

use super::{tree, words};

/// Nothing grows beyond this: readers have limits of their own, which a target can test with one input.
const BYTES_MAX: usize = 64 << 10;

/// Something like `bytes`, with one to four things wrong in it; `donor` lends a part.
pub(crate) fn spoilt(bytes: &[u8], donor: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..rng.u32(1..=4) {
        bytes = match rng.u32(0..5) {
            0 => struck(bytes, rng),
            _ => grafted(bytes, donor, rng),
        };
        bytes.truncate(BYTES_MAX);
    }
    bytes
}

fn grafted(bytes: Vec<u8>, donor: &[u8], rng: &mut Rng) -> Vec<u8> {
    let Ok(mut root) = serde_json::from_slice::<Value>(&bytes) else { return struck(bytes, rng) };
    let donor = serde_json::from_slice(donor).unwrap_or(Value::Null);
    tree::graft(&mut root, &donor, rng);
    let spoilt = root.to_string();
    if rng.u32(0..20) == 0 { doubled(&root, rng).unwrap_or(spoilt).into_bytes() } else { spoilt.into_bytes() }
}

/// The same object with one of its fields there twice.
fn doubled(root: &Value, rng: &mut Rng) -> Option<String> {
    let fields = root.as_object().filter(|fields| !fields.is_empty())?;
    let (name, value) = fields.iter().nth(rng.usize(0..fields.len()))?;
    let name = Value::from(name.as_str());
    Some(format!("{{{name}:{value},{}", &root.to_string()[1..]))
}

/// Some bytes cut out, and some put in.
fn struck(mut bytes: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    let from = rng.usize(0..=bytes.len());
    let to = (from + rng.usize(0..12)).min(bytes.len());
    let put: Vec<u8> = match rng.u32(0..4) {
        0 => Vec::new(),
        1 => (0..rng.usize(0..8)).map(|_| rng.u8(..)).collect(),
        2 => bytes[from..to].repeat(rng.usize(1..50)),
        _ => words::mark(rng).to_vec(),
    };
    bytes.splice(from..to, put);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_spoils_in_one_way_and_mostly_leaves_json() {
        let whole = br#"{"name":"a","list":[1,2,{"deep":"9-3"}]}"#;
        let all = |seed| {
            let mut rng = Rng::with_seed(seed);
            (0..200).map(|_| spoilt(whole, b"[7]", &mut rng)).collect::<Vec<_>>()
        };
        assert_eq!(all(1), all(1));
        let json = all(1).iter().filter(|bytes| serde_json::from_slice::<Value>(bytes).is_ok()).count();
        assert!((100..200).contains(&json), "{json} of 200 are JSON");
    }
}
