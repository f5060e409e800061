//! What operators' machines ask: is it alive, is it ready, how is it doing.

use crate::ground::{error::Result, state::App, store::version};
use axum::{
    extract::State,
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Response},
};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use std::sync::OnceLock;

/// Seconds at which durations are counted.
const BUCKETS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

static RECORDER: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Starts collecting measures; once a process, whoever calls first.
pub fn collect() -> Option<&'static PrometheusHandle> {
    let install = || {
        let builder = PrometheusBuilder::new().set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &BUCKETS);
        builder.ok().and_then(|builder| builder.install_recorder().ok())
    };
    RECORDER.get_or_init(install).as_ref()
}

/// Sorts what was measured into its buckets; until then each measure is kept as it came.
pub fn tidy_up() {
    if let Some(recorder) = collect() {
        recorder.run_upkeep();
    }
}

/// `GET /healthz`: the process answers.
pub async fn healthz() -> &'static str {
    "ok"
}

/// `GET /readyz`: the store answers too.
pub async fn readyz(State(app): State<App>) -> Result<&'static str> {
    version::current(&app.db).await?;
    Ok("ready")
}

/// `GET /metrics`: Prometheus text.
pub async fn metrics() -> Response {
    let text = collect().map(PrometheusHandle::render).unwrap_or_default();
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}
