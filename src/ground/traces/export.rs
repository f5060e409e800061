//! Sends spans to the collector, in batches. When it is away or slow they are dropped and counted: no request waits for it.

use super::spans::Ended;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use reqwest::Client;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::{
    sync::mpsc,
    task::JoinHandle,
    time::{Instant, timeout, timeout_at},
};
use url::Url;
use uuid::Uuid;

/// How many spans wait for being sent.
const QUEUE: usize = 4_096;

/// How many are sent at a time.
const BATCH: usize = 512;

/// How long the first span of a batch waits for others.
const GATHER: Duration = Duration::from_secs(1);

/// How long the collector may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// What sends the spans.
#[derive(Debug)]
pub struct Exporter(JoinHandle<()>);

impl Exporter {
    /// Starts sending to an address. It ends when nobody can queue spans any more.
    pub(super) fn start(url: Url, headers: Vec<(String, String)>) -> Result<(Self, mpsc::Sender<Ended>), String> {
        let mut sent = HeaderMap::new();
        for (name, value) in headers {
            let wrong = |_| "INLAY_OTLP_HEADERS has a header that HTTP does not allow".to_owned();
            let name: HeaderName = name.parse().map_err(|_| wrong(()))?;
            let mut value: HeaderValue = value.parse().map_err(|_| wrong(()))?;
            value.set_sensitive(true);
            sent.insert(name, value);
        }
        let client =
            Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).default_headers(sent).timeout(PATIENCE);
        let client = client.build().map_err(|problem| format!("no connection to INLAY_OTLP_URL can be set up: {problem}"))?;
        let (queue, spans) = mpsc::channel(QUEUE);
        Ok((Self(tokio::spawn(send_all(client, url, spans))), queue))
    }

    /// Gives the rest a moment to be sent. Nothing may be queued any more, or this waits for the whole moment.
    pub async fn finish(self) {
        let mut task = self.0;
        if timeout(GATHER * 2, &mut task).await.is_err() {
            task.abort();
        }
    }
}

async fn send_all(client: Client, url: Url, mut spans: mpsc::Receiver<Ended>) {
    let instance = Uuid::new_v4().to_string();
    let mut batch = Vec::with_capacity(BATCH);
    while let Some(first) = spans.recv().await {
        batch.push(first);
        let end = Instant::now() + GATHER;
        while batch.len() < BATCH
            && let Ok(Some(next)) = timeout_at(end, spans.recv()).await
        {
            batch.push(next);
        }
        let count = u64::try_from(batch.len()).unwrap_or_default();
        let sent = client.post(url.clone()).json(&body(&batch, &instance)).send().await;
        batch.clear();
        match sent.and_then(reqwest::Response::error_for_status) {
            Ok(_) => metrics::counter!("inlay_trace_spans_total").increment(count),
            Err(problem) => {
                metrics::counter!("inlay_trace_spans_dropped_total", "reason" => "collector").increment(count);
                tracing::debug!(problem = %problem.without_url(), "the collector of traces did not take a batch");
            }
        }
    }
}

/// A batch in the JSON of OTLP.
fn body(batch: &[Ended], instance: &str) -> Value {
    let text = |key: &str, value: &str| json!({ "key": key, "value": { "stringValue": value } });
    let version = env!("CARGO_PKG_VERSION");
    json!({ "resourceSpans": [{
        "resource": { "attributes": [
            text("service.name", "inlay"), text("service.version", version), text("service.instance.id", instance),
        ] },
        "scopeSpans": [{
            "scope": { "name": "inlay", "version": version },
            "spans": batch.iter().map(Ended::to_json).collect::<Vec<_>>(),
        }],
    }] })
}
