//! How things are shown to people: tables, ranges of shards, spans of time.

mod span;
mod table;

pub(crate) use span::{ago, clock_time, span};
pub(crate) use table::{Align, Table};

use serde::Serialize;
use tenure::ShardId;
use tenure_core::record::Ranges;

pub(crate) use tenure_core::text::plain;

/// A cell of a table as it is, but for what would do something to a terminal.
pub(crate) fn cell(text: String) -> (String, String) {
    let text = plain(&text).into_owned();
    (text.clone(), text)
}

/// JSON on one line, fit for a terminal whatever was written into records.
pub(crate) fn json(data: &impl Serialize) -> String {
    let text = serde_json::to_string(data).expect("names and numbers are JSON");
    tenure_core::text::json(&text).into_owned() + "\n"
}

/// The same for people, a line for each value.
pub(crate) fn json_lines(data: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(data).expect("names and numbers are JSON");
    tenure_core::text::json(&text).into_owned() + "\n"
}

/// Shards as ranges, cut to `width` characters.
pub(crate) fn shards(shards: &[ShardId], width: usize) -> String {
    let all = Ranges::of(shards.iter().copied()).to_string();
    if all.len() <= width {
        return all;
    }
    let end = all[..width].rfind(',').unwrap_or(width);
    format!("{},…", &all[..end])
}

/// A number with its noun: `1 shard`, `2 shards`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_shown_as_ranges_that_fit() {
        let some: Vec<ShardId> = [0, 1, 2, 7, 9].map(ShardId).into();
        assert_eq!(shards(&some, 20), "0-2,7,9");
        assert_eq!(shards(&some, 6), "0-2,7,…");
        assert_eq!(shards(&[], 6), "");
    }
}
