//! Traces against a collector on loopback.

use super::{Spans, TARGET, context::Sampler, export::Exporter, spans::ATTRIBUTES};
use crate::testing::{ACME, World, on_both_stores, subscriber};
use axum::{Json, Router, body::Body, extract::State, http::Request, routing::post};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};
use tokio::{net::TcpListener, time::sleep};
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::{Layer, filter::filter_fn, layer::SubscriberExt};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

type Taken = Arc<Mutex<Vec<Value>>>;

async fn take(State(taken): State<Taken>, Json(body): Json<Value>) -> &'static str {
    taken.lock().expect("a lock").push(body);
    "{}"
}

/// A collector that traces what this thread does.
struct Collector {
    taken: Taken,
    exporter: Exporter,
    guard: DefaultGuard,
}

impl Collector {
    async fn start(share: f64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/v1/traces", listener.local_addr().expect("an address")).parse().expect("a URL");
        let taken = Taken::default();
        let router = Router::new().route("/v1/traces", post(take)).with_state(Arc::clone(&taken));
        tokio::spawn(async move { axum::serve(listener, router).await });
        let (exporter, queue) = Exporter::start(url, vec![("x-collector".to_owned(), "s3cret".to_owned())]).expect("started");
        let layer = Spans::new(queue, Sampler::new(share)).with_filter(filter_fn(|about| about.target() == TARGET));
        let guard = subscriber::hear(tracing_subscriber::registry().with(layer));
        Self { taken, exporter, guard }
    }

    /// The spans, once all were sent.
    async fn spans(self) -> Vec<Value> {
        drop(self.guard);
        self.exporter.finish().await;
        came(&self.taken)
    }

    /// The same, not before one of this name has come: on a busy machine the last work of a request ends after its answer.
    async fn spans_with(self, name: &str) -> Vec<Value> {
        let begun = Instant::now();
        while named(&came(&self.taken), name).is_empty() && begun.elapsed() < Duration::from_secs(5) {
            sleep(Duration::from_millis(20)).await;
        }
        self.spans().await
    }
}

fn came(taken: &Taken) -> Vec<Value> {
    let all = taken.lock().expect("a lock").clone();
    let spans = all.iter().flat_map(|body| body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().cloned());
    spans.flatten().collect()
}

async fn asks(world: &World, path: &str, token: &str, traceparent: &str) {
    let request = Request::post(path).header("authorization", format!("Bearer {token}")).header("traceparent", traceparent);
    let request =
        request.header("content-type", "application/json").body(Body::from("{\"refresh\": true}")).expect("a request");
    let reply = world.send(request).await;
    assert_eq!(reply.status.as_u16(), 200, "{}", reply.text);
}

fn named<'s>(spans: &'s [Value], name: &str) -> Vec<&'s Value> {
    spans.iter().filter(|span| span["name"].as_str().is_some_and(|own| own.contains(name))).collect()
}

fn attribute<'s>(span: &'s Value, key: &str) -> Option<&'s str> {
    let attributes = span["attributes"].as_array()?;
    let value = &attributes.iter().find(|attribute| attribute["key"] == key)?["value"];
    value.get("stringValue").or_else(|| value.get("intValue"))?.as_str()
}

on_both_stores! {
    async fn a_request_is_traced_from_the_hosts_span_to_the_source(world) {
        let token = world.token(ACME).await;
        let path = world.chart_path("Orders");
        let mut spans = Vec::new();
        // A span whose last part ends on the SQLite driver's own thread, where this subscriber is not heard, leaves its parent open.
        // A node's subscriber is heard on all threads.
        for _ in 0..3 {
            let collector = Collector::start(0.0).await;
            asks(&world, &path, &token, &format!("00-{TRACE}-{PARENT}-01")).await;
            spans = collector.spans_with("POST /v2").await;
            if !named(&spans, "POST /v2").is_empty() {
                break;
            }
        }
        let [request] = named(&spans, "POST /v2")[..] else { panic!("one request: {spans:?}") };
        assert_eq!((request["parentSpanId"].as_str(), request["kind"].as_u64()), (Some(PARENT), Some(2)));
        assert_eq!(attribute(request, "http.response.status_code"), Some("200"));
        assert!(attribute(request, "http.route").is_some_and(|route| route.contains('{')), "the route, not the path: {request}");
        let [query] = named(&spans, "source query")[..] else { panic!("one query: {spans:?}") };
        assert_eq!((attribute(query, "db.system.name"), attribute(query, "db.response.returned_rows")), (Some("sqlite"), Some("3")));
        assert!(!named(&spans, "credential").is_empty(), "{spans:?}");
        let store = named(&spans, "store");
        assert!(!store.is_empty() && store.iter().all(|span| attribute(span, "inlay.purpose").is_some()), "{spans:?}");
        // One trace, in which every span hangs on another.
        let ids: BTreeSet<&str> = spans.iter().filter_map(|span| span["spanId"].as_str()).chain([PARENT]).collect();
        assert_eq!(ids.len(), spans.len() + 1, "ids differ");
        for span in &spans {
            assert_eq!(span["traceId"], TRACE);
            assert!(span["parentSpanId"].as_str().is_some_and(|parent| ids.contains(parent)), "{span}");
            let nanoseconds = |key: &str| span[key].as_str().and_then(|text| text.parse::<u128>().ok()).expect("a time");
            assert!(nanoseconds("startTimeUnixNano") <= nanoseconds("endTimeUnixNano"));
        }
    }

    async fn no_span_tells_a_secret_a_user_or_sql(world) {
        let collector = Collector::start(1.0).await;
        let token = world.token(ACME).await;
        asks(&world, &world.chart_path("Orders"), &token, "").await;
        let path = format!("/share/application/{}?jwt={token}", world.applied.applications.values().next().expect("an application").id);
        let reply = world.send(Request::get(&path).body(Body::empty()).expect("a request")).await;
        assert_eq!(reply.status.as_u16(), 200);
        let spans = collector.spans().await;
        assert!(spans.len() > 6, "{spans:?}");
        let all = serde_json::to_string(&spans).expect("JSON");
        let user = world.app.settings.base_url();
        for secret in [token.as_str(), world.key.as_str(), "jwt", "select", "orders", ACME, "north", "s3cret", "Bearer", &user] {
            assert!(!all.contains(secret), "{secret}: {all}");
        }
        let keys: BTreeSet<&str> =
            spans.iter().flat_map(|span| span["attributes"].as_array().expect("a list")).filter_map(|one| one["key"].as_str()).collect();
        assert!(keys.iter().all(|key| ATTRIBUTES.contains(key)), "{keys:?}");
    }
}

#[tokio::test]
async fn what_is_not_listed_stays_here_and_what_is_not_part_of_a_request_is_not_sent() {
    let collector = Collector::start(1.0).await;
    let root = tracing::trace_span!(target: TARGET, "request", traceparent = "", http.route = "/a", sql = "select 1", http.request.method = ?"GET");
    drop(root.in_scope(|| tracing::trace_span!(target: TARGET, "store", email = "lovelace@example.test")));
    drop(root);
    drop(tracing::trace_span!(target: TARGET, "store", db.system.name = "sqlite"));
    drop(tracing::trace_span!(target: "elsewhere", "request", traceparent = ""));
    let spans = collector.spans().await;
    let all = serde_json::to_string(&spans).expect("JSON");
    assert_eq!(spans.len(), 2, "{all}");
    assert!(!all.contains("select") && !all.contains("lovelace") && !all.contains("GET"), "{all}");
}

/// A collector that is away takes no time from requests.
#[tokio::test]
async fn without_a_collector_spans_are_dropped() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port();
    let url = format!("http://127.0.0.1:{port}/v1/traces").parse().expect("a URL");
    let (exporter, queue) = Exporter::start(url, Vec::new()).expect("started");
    let layer = Spans::new(queue, Sampler::new(1.0)).with_filter(filter_fn(|about| about.target() == TARGET));
    let guard = subscriber::hear(tracing_subscriber::registry().with(layer));
    let begun = std::time::Instant::now();
    for _ in 0..20_000 {
        drop(tracing::trace_span!(target: TARGET, "request", traceparent = format!("00-{TRACE}-{PARENT}-01")));
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    drop(guard);
    exporter.finish().await;
}
