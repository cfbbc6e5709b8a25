//! Why something was not done, for the page and for people.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::json::JsonAnswer;

/// What the caller did wrong, or what is not as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ProblemKind {
    /// 401: that needs a token, and this one is none.
    Unauthorised,
    /// 403: nobody may do this here, or not by this token; or the request comes from elsewhere.
    Forbidden,
    /// 404: there is nothing at that address.
    NotFound,
    /// 400: the request makes no sense.
    Invalid,
    /// 409: the cluster is in a state in which this can't be done.
    Refused,
    /// 413: the body is too long.
    TooLong,
    /// 429: too many wrong tokens came from that address.
    TooMany,
    /// 503: the store does not answer, or too many are here.
    Unavailable,
}

/// The body of every answer that is no success: `{"problem": "…", "message": "…"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Problem {
    /// What it is, for programs.
    #[serde(rename = "problem")]
    pub kind: ProblemKind,
    /// What it is and what to do, for people.
    pub message: String,
}

impl Problem {
    /// A problem of this kind.
    pub fn new(kind: ProblemKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    fn status(&self) -> StatusCode {
        match self.kind {
            ProblemKind::Unauthorised => StatusCode::UNAUTHORIZED,
            ProblemKind::Forbidden => StatusCode::FORBIDDEN,
            ProblemKind::NotFound => StatusCode::NOT_FOUND,
            ProblemKind::Invalid => StatusCode::BAD_REQUEST,
            ProblemKind::Refused => StatusCode::CONFLICT,
            ProblemKind::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
            ProblemKind::TooMany => StatusCode::TOO_MANY_REQUESTS,
            ProblemKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let challenge =
            (self.kind == ProblemKind::Unauthorised).then_some(HeaderValue::from_static("Bearer"));
        let mut response = (self.status(), JsonAnswer(self)).into_response();
        if let Some(challenge) = challenge {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
        }
        response
    }
}
