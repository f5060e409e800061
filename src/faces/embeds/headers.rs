//! The headers of a page (docs/spec/contract.md, section 6).

use crate::ground::{
    error::{Error, Result},
    state::App,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use base64::{Engine, engine::general_purpose::STANDARD_NO_PAD};

/// A random value per response. The page's scripts and styles carry it.
pub fn nonce() -> Result<String> {
    let mut random = [0_u8; 18];
    getrandom::fill(&mut random).map_err(Error::internal)?;
    Ok(STANDARD_NO_PAD.encode(random))
}

/// The origins that may frame a page: the project's, and the console's for a preview. An empty list allows any origin.
pub fn ancestors(app: &App, mut allowed: Vec<String>, asking: Option<&String>) -> Vec<String> {
    let console = asking.filter(|origin| app.base_url == **origin && !allowed.is_empty());
    allowed.extend(console.cloned());
    allowed
}

/// The headers of a page. Only pages of the project's allowed origins may frame it, or any page if there are none.
pub fn of_page(nonce: &str, own_origin: &str, allowed_origins: &[String]) -> Result<HeaderMap> {
    let ancestors = if allowed_origins.is_empty() { "*".to_owned() } else { allowed_origins.join(" ") };
    // A frame sandboxed without `allow-same-origin` has the origin `null`, so 'self' would block the page's own files.
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'; \
         style-src 'self' {own_origin} 'nonce-{nonce}'; style-src-attr 'unsafe-inline'; \
         font-src 'self' {own_origin}; img-src 'self' {own_origin} data: blob:; connect-src 'self' {own_origin}; \
         base-uri 'none'; form-action 'none'; frame-ancestors {ancestors}"
    );
    let entries: [(HeaderName, HeaderValue); 5] = [
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_str(&policy).map_err(Error::internal)?),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
    ];
    Ok(entries.into_iter().collect())
}
