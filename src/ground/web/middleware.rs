//! Middleware of every request: id, log line, metrics, panic handling.

use super::respond::Refusal;
use crate::ground::{
    error::{Code, Error},
    store::holding::watched,
    traces,
};
use axum::{
    extract::{MatchedPath, Request},
    http::{HeaderName, HeaderValue, Method, StatusCode, header::RETRY_AFTER},
    middleware::Next,
    response::{IntoResponse, Response},
};
use inlay_app::calls::build;
use std::{any::Any, time::Instant};
use tower_http::cors::{AllowHeaders, Any as AnyOrigin, CorsLayer};
use tracing::Instrument;
use uuid::Uuid;

/// The header that identifies a request in the log.
pub static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// A request's id, for handlers.
#[derive(Clone, Debug)]
pub struct RequestId(pub String);

/// Adds an id, a log line and metrics to each request. Queries and headers are not logged, because they hold credentials.
pub async fn observe(mut request: Request, next: Next) -> Response {
    let given = request.headers().get(&REQUEST_ID).filter(|id| is_valid_id(id)).cloned();
    let id = given.unwrap_or_else(|| {
        HeaderValue::from_str(&Uuid::now_v7().to_string()).unwrap_or_else(|_| HeaderValue::from_static("none"))
    });
    request.extensions_mut().insert(RequestId(id.to_str().unwrap_or_default().to_owned()));
    let method = request.method().clone();
    let route =
        request.extensions().get::<MatchedPath>().map_or_else(|| "unmatched".to_owned(), |path| path.as_str().to_owned());
    let traced = traces::request(request.headers(), label(&method), &route, id.to_str().unwrap_or_default());
    let span =
        tracing::info_span!(parent: &traced, "request", id = id.to_str().unwrap_or_default(), method = label(&method), route);
    let started = Instant::now();
    let mut response = watched(next.run(request)).instrument(span.clone()).instrument(traced.clone()).await;
    traces::answered(&traced, response.status().as_u16());
    let took = started.elapsed();
    span.in_scope(|| log(&response, took.as_secs_f64() * 1000.0));
    let labels = [("method", label(&method).to_owned()), ("route", route), ("status", response.status().as_u16().to_string())];
    metrics::histogram!("inlay_request_seconds", &labels).record(took.as_secs_f64());
    response.headers_mut().insert(REQUEST_ID.clone(), id);
    response
}

fn log(response: &Response, milliseconds: f64) {
    let status = response.status().as_u16();
    let refusal = response.extensions().get::<Refusal>();
    let (code, context) =
        refusal.map_or(("", ""), |refusal| (refusal.code.as_str(), refusal.context.as_deref().unwrap_or_default()));
    if response.status().is_server_error() {
        tracing::error!(status, code, context, milliseconds, "answered");
    } else if refusal.is_some() {
        tracing::info!(status, code, context, milliseconds, "refused");
    } else {
        tracing::debug!(status, milliseconds, "answered");
    }
}

/// A method's label in metrics. Unknown methods share one, because each label stays in memory.
fn label(method: &Method) -> &str {
    let known = [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::HEAD, Method::OPTIONS];
    if known.contains(method) { method.as_str() } else { "other" }
}

fn is_valid_id(id: &HeaderValue) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    (1..=128).contains(&id.len()) && id.as_bytes().iter().all(plain)
}

/// Any origin may call, without credentials: a frame sandboxed without `allow-same-origin` has the origin `null`.
pub fn cors() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(AnyOrigin)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers(AllowHeaders::any())
        .expose_headers([REQUEST_ID.clone(), RETRY_AFTER, HeaderName::from_static(build::HEADER)])
}

/// Turns a handler's panic into an error response.
pub fn on_panic(payload: Box<dyn Any + Send + 'static>) -> Response {
    let told = payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref::<&str>().copied());
    Error::internal(format!("panic: {}", told.unwrap_or("without a message"))).into_response()
}

/// The answer for an unknown path.
pub async fn unknown_path() -> Error {
    Error::new(Code::NotFound, "No endpoint has this path. /docs lists every endpoint.")
}

/// The answer for a method that a path does not have.
pub async fn method_not_allowed() -> Error {
    Error::new(Code::MethodNotAllowed, "This path does not support this method. /docs lists every endpoint.")
}

/// Gives the framework's own errors, which have no body, the API's format.
pub async fn envelope(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let bare = response.extensions().get::<Refusal>().is_none();
    match response.status() {
        StatusCode::METHOD_NOT_ALLOWED if bare => method_not_allowed().await.into_response(),
        StatusCode::NOT_FOUND if bare && response.headers().get("content-type").is_none() => {
            unknown_path().await.into_response()
        }
        _ => response,
    }
}
