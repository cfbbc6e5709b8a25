//! Spoils JSON by its structure: most of it stays what a reader expects, so that the reader goes on.

use fastrand::Rng;
use serde_json::Value;

use super::words;

/// No list grows beyond this: a longer one only costs time.
const LIST_MAX: usize = 5000;

/// Changes one value somewhere in `root`; `donor` lends one of its own.
pub(crate) fn graft(root: &mut Value, donor: &Value, rng: &mut Rng) {
    let chosen = rng.usize(0..count(root));
    if let Some(place) = nth(root, chosen) {
        change(place, donor, rng);
    }
}

fn change(place: &mut Value, donor: &Value, rng: &mut Rng) {
    match (rng.u32(0..10), &mut *place) {
        (0, Value::Array(items)) if !items.is_empty() => {
            let item = items[rng.usize(0..items.len())].clone();
            let times = rng.usize(1..100).min(LIST_MAX.saturating_sub(items.len()));
            items.extend(vec![item; times]);
        }
        (1, Value::Array(items)) if !items.is_empty() => {
            items.remove(rng.usize(0..items.len()));
        }
        (2, Value::Array(items)) => rng.shuffle(items),
        (0 | 1, Value::Object(fields)) if !fields.is_empty() => {
            let name = fields.keys().nth(rng.usize(0..fields.len())).cloned().unwrap_or_default();
            fields.remove(&name);
        }
        (2, Value::Object(fields)) => {
            fields.insert(words::text(rng).to_owned(), words::odd(rng));
        }
        // Of the same kind, most of the time: a reader that meets another kind goes no further.
        (3, Value::String(text)) => bend(text, rng),
        (4..=7, Value::String(text)) => *text = words::text(rng).to_owned(),
        (3 | 4, Value::Number(number)) => *place = near(number.as_i64().unwrap_or(0), rng),
        (5..=7, Value::Number(_)) => *place = words::number(rng).into(),
        (8, _) => *place = of(donor, rng),
        _ => *place = words::odd(rng),
    }
}

/// A number not far away.
fn near(number: i64, rng: &mut Rng) -> Value {
    Value::from(number.wrapping_add(rng.i64(-3..=3)))
}

/// The same text, with a character more, less or another.
fn bend(text: &mut String, rng: &mut Rng) {
    let mut letters: Vec<char> = text.chars().collect();
    let at = rng.usize(0..=letters.len());
    match rng.u32(0..3) {
        0 => letters.insert(at, rng.char(..)),
        1 if at < letters.len() => drop(letters.remove(at)),
        _ => letters.extend_from_within(..at.min(200)),
    }
    *text = letters.into_iter().collect();
}

/// One value of `donor`.
fn of(donor: &Value, rng: &mut Rng) -> Value {
    let mut donor = donor.clone();
    let chosen = rng.usize(0..count(&donor));
    nth(&mut donor, chosen).map_or(Value::Null, |value| value.take())
}

fn count(value: &Value) -> usize {
    let below: usize = match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(fields) => fields.values().map(count).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    };
    below + 1
}

/// The value that is so many steps into `root`, counted from the root.
fn nth(root: &mut Value, chosen: usize) -> Option<&mut Value> {
    let mut left = chosen;
    let mut open = vec![root];
    while let Some(value) = open.pop() {
        if left == 0 {
            return Some(value);
        }
        left -= 1;
        match value {
            Value::Array(items) => open.extend(items.iter_mut()),
            Value::Object(fields) => open.extend(fields.values_mut()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    None
}
