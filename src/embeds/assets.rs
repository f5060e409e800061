//! The pages' files: wasm, scripts, styles, fonts. They are built into the release binary.

use crate::web::middleware::unknown_path;
use axum::{
    extract::Path,
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use rust_embed::{EmbeddedFile, RustEmbed};
use sha2::{Digest, Sha256};
use std::{fmt::Write, sync::LazyLock};

/// `dist/pkg`, as `scripts/build-pages` leaves it.
#[derive(RustEmbed)]
#[folder = "dist/pkg"]
struct Files;

/// Names the files' version, so that browsers may keep them for good and never mix two versions.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut names: Vec<_> = Files::iter().collect();
    names.sort();
    let mut hash = Sha256::new();
    for name in names {
        hash.update(name.as_bytes());
        hash.update(Files::get(&name).map(|file| file.metadata.sha256_hash()).unwrap_or_default());
    }
    hash.finalize().iter().take(8).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
});

/// The address of the folder that holds the files, below an origin.
pub fn base(origin: &str) -> String {
    format!("{origin}/pkg/{}", *VERSION)
}

/// `GET /pkg/{version}/{*file}`
pub async fn file(Path((version, name)): Path<(String, String)>, headers: HeaderMap) -> Response {
    let brotli =
        headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).is_some_and(|kinds| kinds.contains("br"));
    let compressed = brotli.then(|| Files::get(&format!("{name}.br"))).flatten();
    let encoding = compressed.is_some().then_some("br");
    let Some(file) = compressed.or_else(|| Files::get(&name)).filter(|_| !name.ends_with(".br")) else {
        return unknown_path().await.into_response();
    };
    answer(file, &name, encoding, version == *VERSION)
}

fn answer(file: EmbeddedFile, name: &str, encoding: Option<&'static str>, current: bool) -> Response {
    let kind = mime_guess::from_path(name).first_or_octet_stream();
    let kind =
        HeaderValue::from_str(kind.essence_str()).unwrap_or_else(|_| HeaderValue::from_static("application/octet-stream"));
    // A page of another version (a rolling deployment) must not keep these files under its own version's name.
    let keep = if current { "public, max-age=31536000, immutable" } else { "no-store" };
    let mut response = file.data.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, kind);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Some(encoding) = encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}
