//! What browsers say and are told: from which page a request comes, since only our own page may ask for anything but to look; and to
//! run nothing but our own scripts, and to show the page in no frame.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::view::{Problem, ProblemKind};

/// Lets a request pass if it only looks, comes from our own page, or from no browser at all.
pub(crate) async fn own_origin(request: Request, next: Next) -> Response {
    let looks = matches!(*request.method(), Method::GET | Method::HEAD);
    if looks || is_own(request.headers()) {
        return next.run(request).await;
    }
    let message = "this request comes from another page; only our own may ask for that";
    Problem::new(ProblemKind::Forbidden, message).into_response()
}

/// What a browser says of the page agrees with the name that was asked for; a program that is no browser says nothing.
fn is_own(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let site = text(HeaderName::from_static("sec-fetch-site"));
    if site.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
        return false;
    }
    let Some(origin) = text(header::ORIGIN) else { return true };
    let named = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    named.is_some() && named == text(header::HOST)
}

/// Nothing is loaded from elsewhere, nothing inline is run, nothing frames the page.
const POLICY: &str =
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'";

const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Adds them.
pub(crate) async fn secure(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(headers: &[(&'static str, &'static str)]) -> bool {
        let mut map = HeaderMap::new();
        map.insert(header::HOST, "localhost:7400".parse().unwrap());
        for (name, value) in headers {
            map.insert(*name, value.parse().unwrap());
        }
        is_own(&map)
    }

    #[test]
    fn our_own_page_and_programs_may_ask() {
        assert!(own(&[]));
        assert!(own(&[("origin", "http://localhost:7400")]));
        assert!(own(&[("origin", "https://localhost:7400"), ("sec-fetch-site", "same-origin")]));
    }

    #[test]
    fn other_pages_may_not() {
        assert!(!own(&[("origin", "http://evil.example")]));
        assert!(!own(&[("origin", "http://localhost:7401")]));
        assert!(!own(&[("origin", "null")]));
        assert!(!own(&[("origin", "file://localhost:7400")]));
        assert!(!own(&[("sec-fetch-site", "cross-site")]));
        assert!(!own(&[("origin", "http://localhost:7400"), ("sec-fetch-site", "same-site")]));
    }
}
