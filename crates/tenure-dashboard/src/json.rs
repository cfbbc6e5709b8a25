//! JSON as the dashboard spells it: the events of its stream, once for all viewers, and its answers.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// One event of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StreamEvent {
    /// The state that it leads to; `None` if it changes none, so that a viewer with a newer picture wants it all the same.
    pub(crate) seq: Option<u64>,
    /// The event's name.
    pub(crate) name: &'static str,
    /// Its JSON.
    pub(crate) data: String,
}

impl StreamEvent {
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

/// An answer in JSON.
#[derive(Debug)]
pub(crate) struct JsonAnswer<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for JsonAnswer<T> {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], json(&self.0)).into_response()
    }
}
