//! JSON lines with a sum at their end: what is cut, changed or of another place is noticed.

use std::fmt::Display;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// The most characters of a reason: a parser may quote what it met.
const REASON_MAX: usize = 200;

#[derive(Serialize, Deserialize)]
struct SumLine {
    sum: String,
}

#[derive(Deserialize)]
struct Versioned {
    v: u32,
}

/// Writes lines.
pub(super) struct Writer {
    text: Vec<u8>,
}

impl Writer {
    pub(super) fn begin(first: &impl Serialize) -> Self {
        let mut writer = Self { text: Vec::new() };
        writer.line(first);
        writer
    }

    pub(super) fn line(&mut self, line: &impl Serialize) {
        serde_json::to_writer(&mut self.text, line).expect("lines have string keys and finite numbers");
        self.text.push(b'\n');
    }

    /// Appends bytes as they are.
    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.text.extend_from_slice(bytes);
        self.text.push(b'\n');
    }

    /// Closes with the sum of all lines before.
    pub(super) fn end(mut self) -> Bytes {
        let sum = sum_of(&self.text);
        self.line(&SumLine { sum });
        self.text.into()
    }
}

/// Reads what a [`Writer`] wrote.
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Checks length and sum before anything is looked into.
    pub(super) fn begin(bytes: &'a [u8], most: usize) -> Result<Self, String> {
        if bytes.len() > most {
            return Err(format!("it has {} bytes, more than {most}", bytes.len()));
        }
        let cut = || "it is cut short: its last line is no sum".to_owned();
        let body = bytes.strip_suffix(b"\n").ok_or_else(cut)?;
        let end = body.iter().rposition(|byte| *byte == b'\n').ok_or_else(cut)? + 1;
        let (lines, last) = body.split_at(end);
        let SumLine { sum } = serde_json::from_slice(last).map_err(|_| cut())?;
        if sum != sum_of(lines) {
            return Err("its sum is wrong: it was changed after it was written".into());
        }
        Ok(Self { rest: lines })
    }

    /// The first line, if its format is known.
    pub(super) fn first<T: Deserialize<'a>>(&mut self, format: u32) -> Result<T, String> {
        let line = self.take().ok_or("it has no first line")?;
        let Versioned { v } = parse(line)?;
        if !(1..=format).contains(&v) {
            return Err(format!("format {v} is not known here; this build reads up to {format}"));
        }
        parse(line)
    }

    /// The next line, if there is one.
    pub(super) fn line<T: Deserialize<'a>>(&mut self) -> Result<Option<T>, String> {
        self.take().map(parse).transpose()
    }

    /// All that is left, without its last line break: a state of as many bytes as `said`. It is not copied out of the `whole` that it
    /// stands in.
    pub(super) fn state(&mut self, whole: &Bytes, said: usize) -> Result<Bytes, String> {
        let state = std::mem::take(&mut self.rest).strip_suffix(b"\n").unwrap_or_default();
        if state.len() != said {
            return Err(format!("it has {} bytes of state, and says {said}", state.len()));
        }
        Ok(if state.is_empty() { Bytes::new() } else { whole.slice_ref(state) })
    }

    fn take(&mut self) -> Option<&'a [u8]> {
        let end = self.rest.iter().position(|byte| *byte == b'\n')?;
        let (line, rest) = self.rest.split_at(end);
        self.rest = &rest[1..];
        Some(line)
    }
}

fn parse<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, String> {
    serde_json::from_slice(line).map_err(|error| error.to_string().chars().take(REASON_MAX).collect())
}

fn sum_of(bytes: &[u8]) -> String {
    format!("{:032x}", xxh3_128(bytes))
}

/// What a line says of its place must be where it was found.
pub(super) fn same<T: PartialEq + Display>(what: &str, here: &T, said: &T) -> Result<(), String> {
    if here == said { Ok(()) } else { Err(format!("it says {what} {said}, but stands at {here}")) }
}
