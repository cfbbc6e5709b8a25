//! The page: embedded, so that the program is one file. A debug build reads it from the source folder, so that after a
//! change one only loads it again.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "assets/"]
struct Assets;

/// What may be embedded, by ending.
const KINDS: [(&str, &str); 8] = [
    ("html", "text/html; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("woff2", "font/woff2"),
    ("json", "application/json"),
];

/// The file at `path` within the assets; nothing else can be reached.
pub(crate) fn asset(path: &str) -> Response {
    let kind = path.rsplit_once('.').and_then(|(_, ending)| kind(ending));
    let (Some(kind), Some(file)) = (kind, Assets::get(path)) else {
        return (StatusCode::NOT_FOUND, "there is no such file\n").into_response();
    };
    let mut response = Response::new(Body::from(file.data.into_owned()));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    // The page must not outlive the program that serves it: asked again each time.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

fn kind(ending: &str) -> Option<&'static str> {
    KINDS.iter().find(|(known, _)| *known == ending).map(|(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::Assets;

    /// Each folder of the page's code uses those before it, and none after it.
    const ORDER: [&str; 4] = ["data", "ui", "draw", "views"];

    fn place(folder: &str) -> usize {
        ORDER.iter().position(|known| *known == folder).unwrap_or_else(|| panic!("{folder} has no place"))
    }

    #[test]
    fn the_folders_of_the_page_stand_in_an_order() {
        for path in Assets::iter() {
            let Some((folder, _)) = path.strip_prefix("js/").and_then(|inside| inside.split_once('/')) else {
                continue;
            };
            let file = Assets::get(&path).unwrap();
            let text = std::str::from_utf8(&file.data).unwrap();
            for used in text.split(" from \"../").skip(1).filter_map(|rest| rest.split('/').next()) {
                assert!(place(used) < place(folder), "{path} is in {folder} and uses {used}");
            }
        }
    }
}
