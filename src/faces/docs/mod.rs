//! The API description, built from the handlers: `/openapi.json` for programs, `/docs` for people. Also the guides below `/docs`.

pub mod codes;
pub(crate) mod compose;
mod fields;
mod guide;
mod page;

#[cfg(test)]
mod tests;

use crate::ground::web::middleware::unknown_path;
use axum::{
    extract::Path,
    http::{HeaderName, header},
    response::{IntoResponse, Response},
};
use serde_json::Value;
use std::sync::LazyLock;

/// The document. It depends only on the program, so it is built once.
pub(crate) static DOCUMENT: LazyLock<Value> = LazyLock::new(|| compose::compose(crate::faces::api::routes().into_openapi()));
static TEXT: LazyLock<String> = LazyLock::new(|| DOCUMENT.to_string());
static PAGE: LazyLock<page::Page> = LazyLock::new(|| page::draw(&DOCUMENT));

/// `GET /openapi.json`
pub async fn document() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json"), CACHE], TEXT.as_str())
}

/// `GET /docs`: the same as a page without external resources.
pub async fn page() -> Response {
    answer(&PAGE)
}

/// `GET /docs/{*page}`: a guide.
pub async fn guide(Path(name): Path<String>) -> Response {
    match guide::find(&name) {
        Some(page) => answer(page),
        None => unknown_path().await.into_response(),
    }
}

fn answer(page: &'static page::Page) -> Response {
    let fixed = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        CACHE,
    ];
    (fixed, [(header::CONTENT_SECURITY_POLICY, page.policy.as_str())], page.html.as_str()).into_response()
}

/// The next response may come from another version of the service.
const CACHE: (HeaderName, &str) = (header::CACHE_CONTROL, "no-cache");
