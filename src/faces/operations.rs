//! Health checks and metrics for operators.

use crate::ground::{
    config::Settings,
    error::{Code, Error, Result},
    periodic::Periodic,
    state::{App, Part},
    store::version,
};
use axum::{
    extract::State,
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Response},
};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use std::{
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// The buckets of durations, in seconds.
const BUCKETS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

static RECORDER: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Starts collecting metrics, once per process.
pub fn collect() -> Option<&'static PrometheusHandle> {
    let install = || {
        let builder = PrometheusBuilder::new().set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &BUCKETS);
        builder.ok().and_then(|builder| builder.install_recorder().ok())
    };
    RECORDER.get_or_init(install).as_ref()
}

/// Moves measurements into their buckets. Until then each one is kept in memory.
pub fn tidy_up() {
    if let Some(recorder) = collect() {
        recorder.run_upkeep();
    }
}

/// `GET /healthz`: whether the process responds.
pub async fn healthz() -> &'static str {
    "ok"
}

/// Whether this node is about to stop.
#[derive(Debug, Default)]
pub struct Readiness(AtomicBool);

impl Part for Readiness {
    fn new(_: &Settings) -> Self {
        Self::default()
    }
}

impl Readiness {
    /// From now on load balancers are to send new requests elsewhere.
    pub fn leave(&self) {
        self.0.store(true, Ordering::Release);
    }
}

/// `GET /readyz`: whether the store responds too, the node looks for revocations, and it is not about to stop.
pub async fn readyz(State(app): State<App>) -> Result<&'static str> {
    if app.part::<Readiness>().0.load(Ordering::Acquire) {
        return Err(Error::new(Code::StoreUnavailable, "This node is about to stop. Send the request to another one."));
    }
    app.is_current()?;
    version::current(&app.db).await?;
    Ok("ready")
}

/// `GET /metrics`: metrics in Prometheus text format.
pub async fn metrics() -> Response {
    let text = collect().map(PrometheusHandle::render).unwrap_or_default();
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}

/// Sorts measures into their buckets every ten seconds.
pub const PERIODIC: Periodic = Periodic {
    failure: "measures could not be sorted",
    every: Duration::from_secs(10),
    at_stop: false,
    run: |_| {
        Box::pin(async move {
            tidy_up();
            Ok(())
        })
    },
};
