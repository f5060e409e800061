//! Health checks and metrics for operators.

use crate::{
    faces::measures,
    ground::{
        config::Settings,
        error::{Code, Error, Result},
        periodic::Periodic,
        state::{App, Part},
        store::{room, version},
    },
};
use axum::{
    extract::State,
    http::{
        HeaderMap, StatusCode,
        header::{AUTHORIZATION, CONTENT_TYPE, WWW_AUTHENTICATE},
    },
    response::{IntoResponse, Response},
};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use secrecy::ExposeSecret;
use sha2::{Digest, Sha256};
use std::{
    borrow::Cow,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::sync::Mutex;

/// The buckets of durations, in seconds.
const BUCKETS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// By how many milliseconds a node's clock may differ from the store's before `/readyz` tells.
const MOST_CLOCK_OFFSET: i64 = 1_000;

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

/// How long a node believes that its store can be written because it could be.
const WRITTEN_LATELY: Duration = Duration::from_secs(5);

/// Whether this node is about to stop, and when it last tried whether its store can be written.
#[derive(Debug, Default)]
pub struct Readiness {
    leaving: AtomicBool,
    written: Mutex<Option<Instant>>,
}

impl Part for Readiness {
    fn new(_: &Settings) -> Self {
        Self::default()
    }
}

impl Readiness {
    /// From now on load balancers are to send new requests elsewhere.
    pub fn leave(&self) {
        self.leaving.store(true, Ordering::Release);
    }

    /// Tries whether the store can be written, unless that was so lately.
    async fn try_writing(&self, app: &App) -> Result<()> {
        let mut written = self.written.lock().await;
        if written.is_none_or(|at| at.elapsed() > WRITTEN_LATELY) {
            *written = None;
            room::try_writing(&app.db).await?;
            *written = Some(Instant::now());
        }
        Ok(())
    }
}

/// `GET /readyz`: whether the store can be read and written, the node looks for revocations, and it is not about to stop.
pub async fn readyz(State(app): State<App>) -> Result<Cow<'static, str>> {
    if app.part::<Readiness>().leaving.load(Ordering::Acquire) {
        return Err(Error::new(Code::StoreUnavailable, "This node is about to stop. Send the request to another one."));
    }
    app.is_current()?;
    version::current(&app.db).await?;
    app.part::<Readiness>().try_writing(&app).await?;
    let behind = app.clock.ahead();
    if behind.abs() <= MOST_CLOCK_OFFSET {
        return Ok("ready".into());
    }
    let (seconds, side) =
        (Duration::from_millis(behind.unsigned_abs()).as_secs_f64(), if behind > 0 { "behind" } else { "ahead of" });
    Ok(format!("ready, but this node's clock is {seconds:.1} s {side} the store's; synchronise both (NTP)").into())
}

/// Whether a request for the metrics carries the token of `INLAY_METRICS_TOKEN`, if there is one. Hashes are compared, so that
/// the time tells nothing of the token.
fn may_measure(app: &App, headers: &HeaderMap) -> bool {
    let Some(token) = &app.settings.metrics_token else { return true };
    let given =
        headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).and_then(|value| value.strip_prefix("Bearer "));
    given.is_some_and(|given| Sha256::digest(given) == Sha256::digest(token.expose_secret()))
}

/// `GET /metrics`: metrics in Prometheus text format.
pub async fn metrics(State(app): State<App>, headers: HeaderMap) -> Response {
    if !may_measure(&app, &headers) {
        return (StatusCode::UNAUTHORIZED, [(WWW_AUTHENTICATE, "Bearer")], "INLAY_METRICS_TOKEN is required\n").into_response();
    }
    measures::look(&app);
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
