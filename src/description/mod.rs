//! The API description, made from the handlers: `/openapi.json` for programs, `/docs` for people.

pub mod codes;
pub(crate) mod compose;
mod fields;
mod page;

#[cfg(test)]
mod tests;

use crate::router;
use axum::{
    http::{HeaderName, header},
    response::IntoResponse,
};
use serde_json::Value;
use std::sync::LazyLock;

/// The document. It follows from the program alone, so it is made once.
pub(crate) static DOCUMENT: LazyLock<Value> = LazyLock::new(|| compose::compose(router::api().into_openapi()));
static TEXT: LazyLock<String> = LazyLock::new(|| DOCUMENT.to_string());
static PAGE: LazyLock<page::Page> = LazyLock::new(|| page::draw(&DOCUMENT));

/// `GET /openapi.json`
pub async fn document() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json"), CACHE], TEXT.as_str())
}

/// `GET /docs`: the same as a page that asks nothing of anybody else.
pub async fn page() -> impl IntoResponse {
    let fixed = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        CACHE,
    ];
    (fixed, [(header::CONTENT_SECURITY_POLICY, PAGE.policy.as_str())], PAGE.html.as_str())
}

/// Another version of the service may answer next.
const CACHE: (HeaderName, &str) = (header::CACHE_CONTROL, "no-cache");
