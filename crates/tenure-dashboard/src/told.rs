//! An answer in JSON, spelled as the stream spells it.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::board::json;

/// An answer in JSON.
#[derive(Debug)]
pub(crate) struct Told<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Told<T> {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], json(&self.0)).into_response()
    }
}
