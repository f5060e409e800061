//! Traces for OpenTelemetry: where the time of a request goes. Off unless a collector is named; then nothing here is ever reached, because
//! no subscriber wants spans of [`TARGET`].
//!
//! A span holds classes, numbers and times: its name and its attributes are in [`spans`]' lists. SQL, values, ids of users and credentials
//! are in none of them.

mod context;
mod export;
pub mod settings;
mod spans;

#[cfg(test)]
mod tests;

pub use export::Exporter;
pub use spans::Spans;

use axum::http::HeaderMap;
use context::Sampler;
use settings::TraceSettings;
use tracing::{Span, field::Empty};

/// The target of spans that are traced. `crates/query` has its own under the same name.
pub const TARGET: &str = "inlay_trace";

/// What is needed to trace: the layer for the subscriber, and what sends its spans.
///
/// # Errors
/// A setting is invalid: a sentence for the operator.
pub fn start(settings: &TraceSettings) -> Result<Option<(Spans, Exporter)>, String> {
    let Some(url) = settings.address()? else { return Ok(None) };
    let (exporter, queue) = Exporter::start(url, settings.headers()?)?;
    Ok(Some((Spans::new(queue, Sampler::new(settings.trace_share)), exporter)))
}

/// The span of a request. Its parent is the caller's span, if the request names one (`traceparent`, W3C Trace Context).
pub fn request(headers: &HeaderMap, method: &str, route: &str, id: &str) -> Span {
    tracing::trace_span!(
        target: TARGET,
        "request",
        traceparent = headers.get("traceparent").and_then(|value| value.to_str().ok()).unwrap_or_default(),
        http.request.method = method,
        http.route = route,
        inlay.request.id = id,
        http.response.status_code = Empty,
    )
}

/// Notes how a request was answered.
pub fn answered(span: &Span, status: u16) {
    span.record("http.response.status_code", u64::from(status));
}

/// The span in which a credential is proved, of which only its kind is told.
pub fn credential(kind: &'static str) -> Span {
    tracing::trace_span!(target: TARGET, "credential", inlay.credential = kind)
}

/// The span in which a connection of the store is waited for and held, to read or to write.
pub fn store(system: &'static str, purpose: &'static str) -> Span {
    tracing::trace_span!(target: TARGET, "store", db.system.name = system, inlay.purpose = purpose)
}
