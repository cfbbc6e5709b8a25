//! One event of the stream, spelled once for all viewers.

use serde::Serialize;

/// One event of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The state that it leads to; `None` if it changes none, so that whoever has a newer picture wants it all the same.
    pub(crate) seq: Option<u64>,
    /// The event's name.
    pub(crate) name: &'static str,
    /// Its JSON.
    pub(crate) data: String,
}

impl Frame {
    /// An event that leads to the state `seq`.
    pub(crate) fn of_state(seq: u64, name: &'static str, data: &impl Serialize) -> Self {
        Self { seq: Some(seq), name, data: json(data) }
    }

    /// An event that changes nothing of the picture.
    pub(crate) fn aside(name: &'static str, data: &impl Serialize) -> Self {
        Self { seq: None, name, data: json(data) }
    }
}

/// JSON has no line ends of its own here, so that it is one line of the stream; and nothing that would do something to a terminal.
pub(crate) fn json(data: &impl Serialize) -> String {
    let text = serde_json::to_string(data).expect("names, words and numbers are JSON");
    tenure_core::text::json(&text).into_owned()
}
