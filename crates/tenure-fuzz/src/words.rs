//! Values at which programs break: the edges of numbers, texts that look like what is expected, and those that never end.

use fastrand::Rng;
use serde_json::{Value, json};

/// Numbers at an edge.
const NUMBERS: [u64; 18] = [
    0,
    1,
    2,
    7,
    255,
    256,
    65_535,
    65_536,
    (1 << 31) - 1,
    1 << 31,
    (1 << 32) - 1,
    1 << 32,
    (1 << 53) - 2,
    (1 << 53) - 1,
    1 << 53,
    1 << 63,
    u64::MAX - 1,
    u64::MAX,
];

/// Texts that are nearly right, or very wrong.
const TEXTS: [&str; 24] = [
    "",
    "a",
    "b",
    "9-3",
    "0-4294967295",
    "4294967295-0",
    "0-3,7",
    "0,0,0,0",
    "1-2,2-3",
    "-",
    ",",
    "99999999999999999999",
    "00000000000000000000000000000001",
    "ffffffffffffffffffffffffffffffff",
    "appointed",
    "active",
    "gone",
    "forming",
    "external",
    "../../etc/passwd",
    "\u{0}\u{7}\u{1b}[2J\r\n",
    "\u{202e}\u{2066}txet",
    "é\u{301}💥",
    "</script><script>",
];

/// A value at which something may break.
pub(crate) fn odd(rng: &mut Rng) -> Value {
    match rng.u32(0..14) {
        0..=4 => Value::from(number(rng)),
        5 => Value::from(-(NUMBERS[rng.usize(0..15)] as i64)),
        6 => json!(rng.f64() * 10f64.powi(rng.i32(-300..300))),
        7..=9 => Value::from(text(rng)),
        10 => Value::from("x".repeat(rng.usize(0..5000))),
        11 => [json!(null), json!(true), json!([]), json!({})][rng.usize(0..4)].clone(),
        12 => deep(rng.usize(1..200)),
        _ => Value::Array(vec![Value::from(number(rng)); rng.usize(0..300)]),
    }
}

/// A number at an edge.
pub(crate) fn number(rng: &mut Rng) -> u64 {
    NUMBERS[rng.usize(0..NUMBERS.len())]
}

/// A text that is nearly right, or very wrong.
pub(crate) fn text(rng: &mut Rng) -> &'static str {
    TEXTS[rng.usize(0..TEXTS.len())]
}

fn deep(levels: usize) -> Value {
    (0..levels).fold(json!(0), |inner, _| json!([inner]))
}

/// Bytes that mean something to a reader of JSON.
pub(crate) fn mark(rng: &mut Rng) -> &'static [u8] {
    const MARKS: [&[u8]; 14] = [
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b"\"",
        b"-1",
        b"1e999",
        b"null",
        b"\\u0000",
        b"\xff\xfe",
        b"[[[[[[[[",
        b"0.5",
    ];
    MARKS[rng.usize(0..MARKS.len())]
}
