//! The pages' files: wasm, scripts, styles, fonts. They are embedded in the release binary.

use crate::ground::web::middleware::unknown_path;
use axum::{
    body::Body,
    extract::Path,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use inlay_app::calls::build;
use rust_embed::{EmbeddedFile, RustEmbed};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    io::Read,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

/// `dist/pkg`, created by `scripts/build-pages`. A release holds what is compressed in that form alone; `build.rs` makes sure that it
/// is there.
#[derive(RustEmbed)]
#[folder = "dist/pkg"]
#[cfg_attr(not(debug_assertions), exclude = "*.wasm")]
#[cfg_attr(not(debug_assertions), exclude = "*.js")]
#[cfg_attr(not(debug_assertions), exclude = "*.css")]
#[cfg_attr(not(debug_assertions), exclude = "*.svg")]
#[cfg_attr(not(debug_assertions), exclude = "*.json")]
struct Files;

/// A file as it is, for callers that do not read brotli.
fn plain(name: &str) -> Option<EmbeddedFile> {
    Files::get(name).or_else(|| {
        let packed = Files::get(&format!("{name}.br"))?;
        let data = unpacked(name, &packed.data)?.to_vec().into();
        Some(EmbeddedFile { data, ..packed })
    })
}

/// A compressed file, unpacked when it is asked for the first time.
fn unpacked(name: &str, packed: &[u8]) -> Option<Arc<[u8]>> {
    static UNPACKED: LazyLock<Mutex<BTreeMap<String, Arc<[u8]>>>> = LazyLock::new(Mutex::default);
    let mut all = UNPACKED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = all.get(name) {
        return Some(Arc::clone(known));
    }
    let mut bytes = Vec::new();
    brotli::Decompressor::new(packed, 4096).read_to_end(&mut bytes).ok()?;
    let bytes: Arc<[u8]> = bytes.into();
    all.insert(name.to_owned(), Arc::clone(&bytes));
    Some(bytes)
}

/// The files' version, so that browsers may cache them for good and never mix two versions.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut names: Vec<_> = Files::iter().collect();
    names.sort();
    let mut hash = Sha256::new();
    for name in names {
        hash.update(name.as_bytes());
        hash.update(Files::get(&name).map(|file| file.metadata.sha256_hash()).unwrap_or_default());
    }
    hex::encode(&hash.finalize()[..8])
});

/// The modules that the chart library's entry imports, without their ending. `frontend/charts/build.js` lists them.
pub fn charts() -> &'static [String] {
    #[derive(Default, Deserialize)]
    struct Listed {
        preload: Vec<String>,
    }
    static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
        let listed: Listed = plain("charts.json").and_then(|file| serde_json::from_slice(&file.data).ok()).unwrap_or_default();
        listed.preload.iter().filter_map(|name| name.strip_suffix(".js")).map(str::to_owned).collect()
    });
    &NAMES
}

/// The URL of the folder with the files, below an origin.
pub fn base(origin: &str) -> String {
    format!("{origin}/pkg/{}", *VERSION)
}

/// Adds the version to a page call's response, so that a page of another version can explain why a call fails.
pub fn name_build(mut response: Response) -> Response {
    if let Ok(version) = HeaderValue::from_str(&VERSION) {
        response.headers_mut().insert(build::HEADER, version);
    }
    response
}

/// `GET /pkg/{version}/{*file}`
pub async fn file(Path((version, name)): Path<(String, String)>, headers: HeaderMap) -> Response {
    let Some((file, encoding)) = find(&name, &headers) else { return unknown_path().await.into_response() };
    // A page of another version (in a rolling deployment) must not cache these files under its own version's URL.
    let keep = if version == *VERSION { "public, max-age=31536000, immutable" } else { "no-store" };
    answer(file, &name, encoding, keep)
}

/// `GET /sdk/{file}`: the script for hosts' pages. Its URL never changes, so browsers revalidate it after a while.
pub async fn sdk(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let name = format!("sdk/{name}");
    let Some((file, encoding)) = find(&name, &headers) else { return unknown_path().await.into_response() };
    let hash = hex::encode(&file.metadata.sha256_hash()[..16]);
    let tag = format!("W/\"{hash}\"");
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|tags| tags.as_bytes() == tag.as_bytes());
    let mut response = answer(file, &name, encoding, "public, max-age=300, stale-while-revalidate=86400");
    if known {
        *response.body_mut() = Body::empty();
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    // Cross-origin isolated host pages can only load it with this header.
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
    response
}

/// Whether a caller reads brotli.
pub(super) fn accepts_brotli(headers: &HeaderMap) -> bool {
    let kinds = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    kinds.flat_map(|kinds| kinds.split(',')).any(|kind| {
        let (name, quality) = kind.split_once(';').unwrap_or((kind, ""));
        // A quality of zero is a refusal.
        let refused = quality.trim().strip_prefix("q=").is_some_and(|quality| quality.trim().parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case("br") && !refused
    })
}

/// A file and its encoding: compressed if the caller accepts an encoding that exists.
fn find(name: &str, headers: &HeaderMap) -> Option<(EmbeddedFile, Option<&'static str>)> {
    if name.ends_with(".br") {
        return None;
    }
    let compressed = accepts_brotli(headers).then(|| Files::get(&format!("{name}.br"))).flatten();
    match compressed {
        Some(file) => Some((file, Some("br"))),
        None => plain(name).map(|file| (file, None)),
    }
}

fn answer(file: EmbeddedFile, name: &str, encoding: Option<&'static str>, keep: &'static str) -> Response {
    let kind = mime_guess::from_path(name).first_or_octet_stream();
    // A `.d.ts` file is a TypeScript declaration, though the table of file types says it is a video.
    let kind = if name.ends_with(".d.ts") { "text/plain" } else { kind.essence_str() };
    let kind = HeaderValue::from_str(kind).unwrap_or_else(|_| HeaderValue::from_static("application/octet-stream"));
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_compressed_file_is_unpacked_for_who_does_not_read_it() {
        let mut packed = Vec::new();
        brotli::CompressorWriter::new(&mut packed, 4096, 5, 22).write_all(b"one two two").expect("packed");
        assert_eq!(unpacked("tests.txt", &packed).as_deref(), Some(&b"one two two"[..]));
        assert_eq!(unpacked("tests.txt", b"").as_deref(), Some(&b"one two two"[..]), "remembered");
        assert_eq!(unpacked("broken.txt", b"no brotli"), None);
    }
}
