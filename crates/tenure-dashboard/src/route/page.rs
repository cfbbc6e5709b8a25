//! The page and what it is made of.

use axum::extract::Path;
use axum::response::Response;

use crate::assets;

pub(super) async fn index() -> Response {
    assets::asset("index.html")
}

pub(super) async fn asset(Path(path): Path<String>) -> Response {
    assets::asset(&path)
}
