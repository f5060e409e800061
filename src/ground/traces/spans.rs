//! The layer that turns spans of [`TARGET`](super::TARGET) into those of OpenTelemetry.

use super::context::{Sampler, SpanId, TraceId, span_id};
use serde_json::{Value, json};
use std::{
    fmt,
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use tokio::sync::mpsc;
use tracing::{
    Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};
use tracing_subscriber::{Layer, layer::Context, registry::LookupSpan};

/// The attributes that may leave this process. Whatever else a span holds is left out.
pub(super) const ATTRIBUTES: [&str; 11] = [
    "http.request.method",
    "http.route",
    "http.response.status_code",
    "inlay.request.id",
    "inlay.credential",
    "inlay.purpose",
    "inlay.cached",
    "db.system.name",
    "db.response.returned_rows",
    "error.type",
    "inlay.connections",
];

/// The longest text of an attribute.
const LONGEST: usize = 200;

/// A span that has ended.
#[derive(Clone, Debug)]
pub struct Ended {
    trace: TraceId,
    id: SpanId,
    parent: Option<SpanId>,
    name: &'static str,
    begun: SystemTime,
    ended: SystemTime,
    attributes: Vec<(&'static str, Value)>,
}

/// What is kept with a span that is traced.
struct Open {
    trace: TraceId,
    id: SpanId,
    parent: Option<SpanId>,
    begun: SystemTime,
    /// When a request was answered. Work that goes on for it keeps its span open.
    answered: Option<SystemTime>,
    attributes: Vec<(&'static str, Value)>,
}

/// The layer.
#[derive(Debug)]
pub struct Spans {
    queue: mpsc::Sender<Ended>,
    sampler: Sampler,
}

impl Spans {
    pub(super) const fn new(queue: mpsc::Sender<Ended>, sampler: Sampler) -> Self {
        Self { queue, sampler }
    }
}

/// The fields of a span.
#[derive(Default)]
struct Fields {
    /// What the caller of a request says of its trace. Only the span of a request has it.
    traceparent: Option<String>,
    attributes: Vec<(&'static str, Value)>,
}

impl Fields {
    fn note(&mut self, field: &Field, value: Value) {
        if let Some(name) = ATTRIBUTES.into_iter().find(|known| *known == field.name()) {
            self.attributes.retain(|(known, _)| *known != name);
            self.attributes.push((name, value));
        }
    }
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "traceparent" {
            self.traceparent = Some(value.to_owned());
        } else {
            self.note(field, json!({ "stringValue": value.chars().take(LONGEST).collect::<String>() }));
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        // Numbers of 64 bits are texts in the JSON of Protocol Buffers.
        self.note(field, json!({ "intValue": value.to_string() }));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.note(field, json!({ "intValue": value.to_string() }));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.note(field, json!({ "boolValue": value }));
    }

    // What is only printed could hold anything.
    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}
}

impl<S: Subscriber + for<'l> LookupSpan<'l>> Layer<S> for Spans {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        let place = match fields.traceparent {
            Some(traceparent) => self.sampler.decide(&traceparent),
            // Part of a request that is traced, or of nothing.
            None => span.parent().and_then(|parent| parent.extensions().get::<Open>().map(|open| (open.trace, Some(open.id)))),
        };
        let Some((trace, parent)) = place else { return };
        let begun = SystemTime::now();
        let open = Open { trace, id: span_id(), parent, begun, answered: None, attributes: fields.attributes };
        span.extensions_mut().insert(open);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(open) = span.extensions_mut().get_mut::<Open>() {
            let mut fields = Fields { attributes: std::mem::take(&mut open.attributes), ..Fields::default() };
            values.record(&mut fields);
            open.attributes = fields.attributes;
            if open.attributes.iter().any(|(name, _)| *name == "http.response.status_code") {
                open.answered = Some(SystemTime::now());
            }
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else { return };
        let Some(open) = span.extensions_mut().remove::<Open>() else { return };
        let Open { trace, id, parent, begun, answered, attributes } = open;
        let ended = answered.unwrap_or_else(SystemTime::now);
        let ended = Ended { trace, id, parent, name: span.name(), begun, ended, attributes };
        // Nobody waits for the collector: without room, the span is left out.
        if self.queue.try_send(ended).is_err() {
            metrics::counter!("inlay_trace_spans_dropped_total", "reason" => "queue").increment(1);
        }
    }
}

impl Ended {
    /// In the JSON of OTLP.
    pub(super) fn to_json(&self) -> Value {
        let nanoseconds = |at: SystemTime| at.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_nanos().to_string();
        let attributes: Vec<Value> =
            self.attributes.iter().map(|(name, value)| json!({ "key": name, "value": value })).collect();
        json!({
            "traceId": hex::encode(self.trace),
            "spanId": hex::encode(self.id),
            "parentSpanId": self.parent.map(hex::encode).unwrap_or_default(),
            "name": self.title(),
            "kind": self.kind(),
            "startTimeUnixNano": nanoseconds(self.begun),
            "endTimeUnixNano": nanoseconds(self.ended),
            "attributes": attributes,
            "status": { "code": if self.failed() { 2 } else { 0 } },
        })
    }

    fn text(&self, name: &str) -> Option<&str> {
        let (_, value) = self.attributes.iter().find(|(known, _)| *known == name)?;
        value.get("stringValue").or_else(|| value.get("intValue"))?.as_str()
    }

    /// Requests are named by method and route, as the conventions for HTTP have it.
    fn title(&self) -> String {
        match (self.text("http.request.method"), self.text("http.route")) {
            (Some(method), Some(route)) => format!("{method} {route}"),
            _ => self.name.to_owned(),
        }
    }

    /// Server, client or internal.
    fn kind(&self) -> u8 {
        match self.name {
            "request" => 2,
            "store" | "source query" => 3,
            _ => 1,
        }
    }

    fn failed(&self) -> bool {
        let status = self.text("http.response.status_code").and_then(|status| status.parse::<u16>().ok());
        self.text("error.type").is_some() || status.is_some_and(|status| status >= 500)
    }
}
