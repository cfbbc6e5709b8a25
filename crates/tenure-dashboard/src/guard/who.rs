//! Who asks, taken from a request before anything else of it is read.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::Who;
use crate::desk::Desk;
use crate::view::Problem;

impl FromRequestParts<Arc<Desk>> for Who {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, desk: &Arc<Desk>) -> Result<Self, Problem> {
        desk.house.tokens.check(&parts.headers)
    }
}
